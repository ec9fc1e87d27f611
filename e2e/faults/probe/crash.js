globalThis.probes[PROBE.global].chunks.crash = () =>
  function ProbeCrashPage() {
    throw new Error('The probe throws while it is drawn.')
  }
