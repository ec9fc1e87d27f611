globalThis.probes[PROBE.global].chunks.en = {
  messages: {
    [`${PROBE.name}.title`]: 'Probe list',
    [`${PROBE.name}.form`]: 'Probe form',
    [`${PROBE.name}.note`]: 'Note',
    [`${PROBE.name}.save`]: 'Save the note',
    [`${PROBE.name}.saved`]: 'Note saved',
    [`${PROBE.name}.card`]: 'The probe has three notes',
  },
}
