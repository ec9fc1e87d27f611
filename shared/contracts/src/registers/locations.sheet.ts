import { column, sheet } from '../imports/sheet.ts'

/** Locations: all four names are the natural key (Registers 2.1). */
export const locationsSheet = sheet({
  name: 'locations',
  field: 'locations_file',
  title: { en: 'Locations', fr: 'Localités' },
  columns: {
    region: column({
      label: { en: 'Region', fr: 'Région' },
      headings: ['nom de la région'],
      required: true,
      key: true,
      kind: 'name',
      example: ['KAYES', 'SEGOU'],
      help: {
        en: 'A region that the portal knows. A cercle that lies in another known region of the country stays there.',
        fr: 'Une région connue du portail. Un cercle situé dans une autre région connue du pays y reste.',
      },
    }),
    cercle: column({
      label: { en: 'Cercle', fr: 'Cercle' },
      headings: ['département', 'departement', 'department'],
      required: true,
      key: true,
      kind: 'name',
      example: ['BAFOULABE', 'MACINA'],
      help: { en: 'Cercle, or département in Senegal.', fr: 'Cercle, ou département au Sénégal.' },
    }),
    commune: column({
      label: { en: 'Commune', fr: 'Commune' },
      headings: ['nom de la commune', 'municipality'],
      required: true,
      key: true,
      kind: 'name',
      example: ['SIDIBELA', 'KOKRY'],
      help: {
        en: 'Commune of the cercle; a new one is made.',
        fr: 'Commune du cercle ; une nouvelle est créée.',
      },
    }),
    arrondissement: column({
      label: { en: 'Arrondissement', fr: 'Arrondissement' },
      headings: ['arrondissement or ville', 'arrondissement ou ville', 'locale', 'locality', 'localité'],
      kind: 'name',
      example: ['OUSSOUBIDIAGNA', 'KOLONGOTOMO'],
      help: {
        en: 'Empty: it bears the name of the commune.',
        fr: 'Vide : il porte le nom de la commune.',
      },
    }),
  },
})
