globalThis.probes[PROBE.global].chunks.fr = {
  messages: {
    [`${PROBE.name}.title`]: 'Liste de la sonde',
    [`${PROBE.name}.form`]: 'Formulaire de la sonde',
    [`${PROBE.name}.note`]: 'Remarque',
    [`${PROBE.name}.save`]: 'Enregistrer la remarque',
    [`${PROBE.name}.saved`]: 'Remarque enregistrée',
    [`${PROBE.name}.card`]: 'La sonde a trois remarques',
  },
}
