import { type Column, column, type Sheet, sheet } from '../imports/sheet.ts'
import type { Agency } from './agencies.ts'

type Basic =
  | 'receiver_first_name'
  | 'receiver_last_name'
  | 'receiver_phone_number'
  | 'student_code'
  | 'amount'
/** Columns of a target list; the last two only where the agency is a bank. */
export type TargetColumn = Basic | 'receiver_account' | 'receiver_bank'

const columns: Record<Basic, Column> = {
  receiver_first_name: column({
    label: { en: 'Receiver first name', fr: 'Prénom du destinataire' },
    headings: [
      'first name',
      'prénom',
      'prénoms',
      'prénom bénéficiaire',
      'prénom du bénéficiaire',
      'parent first name',
      'prénom du parent',
    ],
    required: true,
    example: ['Aminata', 'Fatoumata'],
    help: {
      en: 'First name of the person who receives the money.',
      fr: 'Prénom de la personne qui reçoit l’argent.',
    },
  }),
  receiver_last_name: column({
    label: { en: 'Receiver last name', fr: 'Nom du destinataire' },
    headings: [
      'last name',
      'surname',
      'family name',
      'nom',
      'nom de famille',
      'nom bénéficiaire',
      'nom du bénéficiaire',
      'parent last name',
      'nom du parent',
    ],
    required: true,
    example: ['Diarra', 'Coulibaly'],
    help: { en: 'Family name of that person.', fr: 'Nom de famille de cette personne.' },
  }),
  receiver_phone_number: column({
    label: { en: 'Receiver phone number', fr: 'Téléphone du destinataire' },
    headings: [
      'phone',
      'phone number',
      'telephone',
      'mobile',
      'mobile number',
      'recipient number',
      'receiver number',
      'numéro de téléphone',
      'téléphone',
      'tél',
      'numéro',
      'numéro du destinataire',
      'téléphone du bénéficiaire',
      'numéro du bénéficiaire',
      'numéro de téléphone du bénéficiaire',
    ],
    required: true,
    kind: 'phone',
    example: ['+223 76 12 34 56', '66123457'],
    help: {
      en: 'Number of the agency’s country: 8 digits in Mali, 9 in Senegal, with or without +223 or +221.',
      fr: 'Numéro du pays de l’agence : 8 chiffres au Mali, 9 au Sénégal, avec ou sans +223 ou +221.',
    },
  }),
  student_code: column({
    label: { en: 'Student code', fr: 'Code de l’élève' },
    headings: [
      'student',
      'student id',
      'code élève',
      'code étudiant',
      'matricule',
      'matricule élève',
      'identifiant élève',
    ],
    required: true,
    kind: 'code',
    example: ['ML-2026-000123', 'ML-2026-000124'],
    help: {
      en: 'Code of the student for whom the money is paid; each may stand here once.',
      fr: 'Code de l’élève pour qui l’argent est versé ; chacun ne peut figurer qu’une fois.',
    },
  }),
  amount: column({
    label: { en: 'Amount', fr: 'Montant' },
    headings: [
      'amount xof',
      'amount fcfa',
      'expected amount',
      'montant xof',
      'montant fcfa',
      'montant cfa',
      'montant attendu',
    ],
    kind: 'whole',
    example: [10500, 12000],
    help: {
      en: 'Whole francs per round. Empty: the amount of the transfer parameter.',
      fr: 'Francs entiers par tour. Vide : le montant du paramètre de transfert.',
    },
  }),
}

const account = column({
  label: { en: 'Receiver account', fr: 'Compte du destinataire' },
  headings: [
    'account',
    'account number',
    'iban',
    'rib',
    'bank account',
    'compte',
    'numéro de compte',
    'compte bancaire',
    'compte du bénéficiaire',
  ],
  required: true,
  kind: 'code',
  example: ['ML13 ML01 6012 0100 0000 0012 3471', 'ML016 01201 000000001235 68'],
  help: {
    en: 'IBAN (28 characters) or RIB (24 characters) of the receiver, as text.',
    fr: 'IBAN (28 caractères) ou RIB (24 caractères) du destinataire, au format texte.',
  },
})
const bank = column({
  label: { en: 'Receiver bank', fr: 'Banque du destinataire' },
  headings: [
    'bank',
    'bic',
    'swift',
    'bic swift',
    'swift bic',
    'code bic',
    'banque',
    'banque du bénéficiaire',
  ],
  kind: 'code',
  example: ['BMSMMLBA', ''],
  help: { en: 'BIC of the bank: 8 or 11 characters.', fr: 'BIC de la banque : 8 ou 11 caractères.' },
})

/** The target list of Imports 4.1. A bank needs an account and can do without a phone number. */
export function targetListSheet(type: Agency['type']): Sheet<TargetColumn> {
  const common = {
    name: 'target-list',
    field: 'target_list_file',
    title: { en: 'Target list', fr: 'Liste cible' },
  }
  // A mobile-money list has no account columns: in its file they are extra headings, and ignored.
  if (type === 'mobile_money') return sheet({ ...common, columns }) as Sheet<TargetColumn>
  const phone = { ...columns.receiver_phone_number, required: false }
  return sheet({
    ...common,
    columns: { ...columns, receiver_phone_number: phone, receiver_account: account, receiver_bank: bank },
  })
}
