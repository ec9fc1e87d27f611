globalThis.probes[PROBE.global].chunks.en = {
  messages: {
    'probe.title': 'Probe list',
    'probe.form': 'Probe form',
    'probe.note': 'Note',
    'probe.save': 'Save the note',
    'probe.saved': 'Note saved',
    'probe.card': 'The probe has three notes',
  },
}
