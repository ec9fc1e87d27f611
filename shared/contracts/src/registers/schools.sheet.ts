import { columnsOf } from '../field.ts'
import { column, sheet } from '../imports/sheet.ts'
import { schoolFields } from './schools.fields.ts'

/** Tells arrondissements of one name apart. */
const sameName = {
  en: 'Only where several arrondissements have the same name.',
  fr: 'Seulement si plusieurs arrondissements portent le même nom.',
}

/** Schools, known by their `admin_code`. */
export const schoolsSheet = sheet({
  name: 'schools',
  field: 'schools_file',
  title: { en: 'Schools', fr: 'Établissements' },
  columns: {
    ...columnsOf(schoolFields),
    cercle: column({
      label: { en: 'Cercle', fr: 'Cercle' },
      headings: ['département'],
      kind: 'name',
      example: ['KAYES', 'SEGOU'],
      help: sameName,
    }),
    commune: column({
      label: { en: 'Commune', fr: 'Commune' },
      kind: 'name',
      example: ['KAYES', 'SEGOU'],
      help: sameName,
    }),
    arrondissement: column({
      label: schoolFields.arrondissement_id.label,
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
