globalThis.probes[PROBE.global].chunks.fr = {
  messages: {
    'probe.title': 'Liste de la sonde',
    'probe.form': 'Formulaire de la sonde',
    'probe.note': 'Remarque',
    'probe.save': 'Enregistrer la remarque',
    'probe.saved': 'Remarque enregistrée',
    'probe.card': 'La sonde a trois remarques',
  },
}
