import { column, sheet } from './sheet.ts'

/** Schools, known by their `admin_code`. */
export const schoolsSheet = sheet({
  name: 'schools',
  field: 'schools_file',
  title: { en: 'Schools', fr: 'Établissements' },
  columns: {
    admin_code: column({
      label: { en: 'School ID', fr: 'Code de l’établissement' },
      headings: ['admin code', 'school code', 'code école', 'code établissement', 'code administratif'],
      required: true,
      key: true,
      kind: 'code',
      example: ['ML-KYG-0001', 'ML-SEG-0002'],
      help: {
        en: 'The code by which the school is known.',
        fr: 'Le code par lequel l’établissement est connu.',
      },
    }),
    name: column({
      label: { en: 'School name', fr: 'Nom de l’établissement' },
      headings: ['name', 'school', 'nom', 'école', 'établissement', 'nom école', 'nom de l’école'],
      required: true,
      kind: 'name',
      example: ['Second cycle de Kayes', 'École fondamentale de Ségou (1er cycle)'],
      help: { en: 'Its name as it is written.', fr: 'Son nom tel qu’il s’écrit.' },
    }),
    type_of_school: column({
      list: 'school_type',
      label: { en: 'Type of school', fr: 'Type d’établissement' },
      headings: ['type', 'school type', 'type école', 'type d’école', 'statut'],
      required: true,
      example: ['public', 'community'],
      help: {
        en: 'One of the portal’s types, in either language.',
        fr: 'Un des types du portail, en français ou en anglais.',
      },
    }),
    admin_district_as_cap: column({
      label: { en: 'CAP', fr: 'CAP' },
      headings: ['cap or ief', 'cap ou ief', 'ief', 'district', 'administrative district'],
      required: true,
      example: ['CAP KAYES RIVES-GAUCHE', 'CAP SEGOU'],
      help: { en: 'A CAP or IEF that the portal knows.', fr: 'Un CAP ou une IEF que le portail connaît.' },
    }),
    education_authority_as_ae: column({
      label: { en: 'AE', fr: 'AE' },
      headings: ['ae or ia', 'ae ou ia', 'ia', 'academy', 'académie', 'education authority'],
      required: true,
      example: ['AE KAYES', 'AE SEGOU'],
      help: { en: 'The AE or IA of that CAP.', fr: 'L’AE ou l’IA dont relève ce CAP.' },
    }),
    academic_year: column({
      label: { en: 'Academic year', fr: 'Année scolaire' },
      headings: ['school year', 'year', 'année', 'année académique'],
      required: true,
      kind: 'year',
      example: ['2026-2027', '2026-2027'],
      help: { en: 'Two years: 2026-2027.', fr: 'Deux années : 2026-2027.' },
    }),
    cercle: column({
      label: { en: 'Cercle', fr: 'Cercle' },
      headings: ['département'],
      kind: 'name',
      example: ['KAYES', 'SEGOU'],
      help: {
        en: 'Only where several arrondissements have the same name.',
        fr: 'Seulement si plusieurs arrondissements portent le même nom.',
      },
    }),
    commune: column({
      label: { en: 'Commune', fr: 'Commune' },
      kind: 'name',
      example: ['KAYES', 'SEGOU'],
      help: {
        en: 'Only where several arrondissements have the same name.',
        fr: 'Seulement si plusieurs arrondissements portent le même nom.',
      },
    }),
    arrondissement: column({
      label: { en: 'Arrondissement', fr: 'Arrondissement' },
      headings: ['locale', 'location', 'localité'],
      kind: 'name',
      example: ['KAYES', ''],
      help: {
        en: 'Where the school stands; one of the locations.',
        fr: 'Où se trouve l’établissement ; une des localités.',
      },
    }),
    classes: column({
      label: { en: 'Classes', fr: 'Classes' },
      headings: ['class', 'classe', 'class names', 'noms des classes'],
      many: true,
      example: ['7; 8; 9', '4 A; 4 B; 5; 6'],
      help: {
        en: 'Names of its classes, semicolons between them. Classes are added, none is removed.',
        fr: 'Noms de ses classes, séparés par des points-virgules. Les classes s’ajoutent, aucune n’est retirée.',
      },
    }),
  },
})
