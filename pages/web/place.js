// Remembers what a reader has opened, chosen and scrolled to, so that a page can be drawn anew around it.

const steps = 'a, button, input, select, summary, [tabindex]';

/** The nearest element around another one that keeps its name when the page is drawn anew. */
function around(element) {
  const named = element.parentElement.closest('[id], [aria-labelledby]');
  return named ? `[id="${CSS.escape(named.id)}"], [aria-labelledby="${named.getAttribute('aria-labelledby')}"]` : '#page';
}

/** A function that finds the same element on the page as it is drawn next. */
function finder_of(element, kind) {
  const outer = around(element);
  const place = [...(document.querySelector(outer)?.querySelectorAll(kind) ?? [])].indexOf(element);
  return () => document.querySelector(outer)?.querySelectorAll(kind)[place];
}

/** Returns a function that puts a page that was drawn anew to where this one is. */
function keep_place(page) {
  const scrolled = [scrollX, scrollY];
  const open = [...page.querySelectorAll('details[open]')].map((one) => finder_of(one, 'details'));
  const choices = [...page.querySelectorAll('select, input')].map((one) => [finder_of(one, 'select, input'), one.value]);
  const active = page.contains(document.activeElement) ? finder_of(document.activeElement, steps) : () => undefined;
  return () => {
    for (const find of open) {
      const one = find();
      if (!one) continue;
      one.fill?.();
      one.open = true;
    }
    for (const [find, value] of choices) {
      const one = find();
      if (!one || one.value === value) continue;
      one.value = value;
      one.dispatchEvent(new Event(one instanceof HTMLSelectElement ? 'change' : 'input'));
    }
    active()?.focus({ preventScroll: true });
    scrollTo(...scrolled);
  };
}
