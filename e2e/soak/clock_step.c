/* Steps the wall clock of one program, for e2e/soak: loaded with LD_PRELOAD, it adds the offset that is in the file
   HALLMARK_SOAK_CLOCK (nanoseconds, eight bytes) to CLOCK_REALTIME. The clock of the kernel stays as it is. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile const int64_t* offset;
static int (*real_clock)(clockid_t, struct timespec*);

__attribute__((constructor)) static void open_offset(void) {
  real_clock = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  const char* path = getenv("HALLMARK_SOAK_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void* mapped = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) offset = mapped;
}

int clock_gettime(clockid_t clock, struct timespec* time) {
  if (!real_clock) open_offset();
  int result = real_clock(clock, time);
  if (result != 0 || clock != CLOCK_REALTIME || !offset) return result;
  int64_t ns = time->tv_nsec + *offset % 1000000000;
  time->tv_sec += *offset / 1000000000 + (ns >= 1000000000) - (ns < 0);
  time->tv_nsec = ns + (ns < 0 ? 1000000000 : 0) - (ns >= 1000000000 ? 1000000000 : 0);
  return 0;
}

int gettimeofday(struct timeval* restrict value, void* restrict zone) {
  (void)zone;
  struct timespec time;
  int result = clock_gettime(CLOCK_REALTIME, &time);
  value->tv_sec = time.tv_sec;
  value->tv_usec = time.tv_nsec / 1000;
  return result;
}

time_t time(time_t* out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
