# Completion of hallmark for bash, as `hallmark completion bash` prints it. The program says what may follow.

_hallmark() {
  local -a words=()
  local word line joins=no
  # Bash takes ":" and "=" for the ends of words, the program does not.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ -z $word && ${COMP_LINE:0:COMP_POINT} == *[[:space:]] ]]; then joins=no; fi
    if ((${#words[@]} > 0)) && [[ $joins == yes || $word == [:=]* ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    if [[ $word == *[:=] ]]; then joins=yes; else joins=no; fi
  done
  ((${#words[@]} > 0)) || words=("")

  local typed=${words[-1]} kept="" paths=""
  # Bash replaces only what stands behind the last of them.
  local ends=${COMP_WORDBREAKS//[^:=]/}
  [[ -z $ends ]] || kept=${typed%"${typed##*[$ends]}"}
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $paths ]]; then
      paths=$line
      continue
    fi
    word=${line%%$'\t'*}
    COMPREPLY+=("${word#"$kept"}")
    # More follows: a port behind a host, a name behind a folder.
    if [[ $word == *[/:=] ]]; then compopt -o nospace 2>/dev/null; fi
  done < <("${1/#\~/$HOME}" complete-words "${words[@]}" 2>/dev/null)

  case $paths in
    files) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "${typed#"$kept"}") ;;
    directories) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "${typed#"$kept"}") ;;
    *) return ;;
  esac
  compopt -o filenames 2>/dev/null
}

complete -F _hallmark hallmark
