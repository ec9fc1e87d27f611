import type { Locale, Text } from '../text.ts'

const unreadable: Text = {
  en: 'The agency’s answer could not be read.',
  fr: 'La réponse de l’agence est illisible.',
}
const anotherOrder: Text = {
  en: 'The agency answered about another order.',
  fr: 'L’agence a répondu au sujet d’un autre ordre.',
}
const tooSlow: Text = {
  en: 'The agency has not answered in time.',
  fr: 'L’agence n’a pas répondu à temps.',
}
const brokeOff: Text = {
  en: 'The connection to the agency broke off.',
  fr: 'La liaison avec l’agence s’est interrompue.',
}
const ownFault: Text = { en: 'The agency had a fault of its own.', fr: 'L’agence a eu une panne.' }

const accountBlocked: Text = {
  en: 'The account is blocked.',
  fr: 'Le compte est bloqué.',
}
const limitExceeded: Text = {
  en: 'The amount exceeds the account’s limit.',
  fr: 'Le montant dépasse le plafond du compte.',
}
const noFunds: Text = {
  en: 'The paying account was empty for this payment.',
  fr: 'Le compte payeur était vide pour ce paiement.',
}
const notAccepted: Text = {
  en: 'The agency does not accept the order as it was sent.',
  fr: 'L’agence n’accepte pas l’ordre tel qu’il a été envoyé.',
}

const noAccount: Text = {
  en: 'The bank knows no account with this number.',
  fr: 'La banque ne connaît aucun compte avec ce numéro.',
}
const nameDiffers: Text = {
  en: 'The account is held under another name, or the bank needs the recipient named differently.',
  fr: 'Le compte est tenu sous un autre nom, ou la banque demande une autre désignation du destinataire.',
}
const noSuchBank: Text = {
  en: 'The recipient’s bank is not known under this code.',
  fr: 'La banque du destinataire n’est pas connue sous ce code.',
}
const payerRefused: Text = {
  en: 'The bank does not let the paying account make this payment.',
  fr: 'La banque n’autorise pas le compte payeur à faire ce paiement.',
}
const bankGaveNoReason: Text = {
  en: 'The bank refused and gave no reason in its file. Ask the bank.',
  fr: 'La banque a refusé sans donner de motif dans son fichier. Demandez-le à la banque.',
}

/** What an agency's or the line's code for a failure means: for screens and exports alike. */
export const failureReasons: Record<string, Text> = {
  account_unknown: {
    en: 'No account has this number.',
    fr: 'Aucun compte n’a ce numéro.',
  },
  account_blocked: accountBlocked,
  limit_exceeded: limitExceeded,
  recipient_unreachable: {
    en: 'The recipient could not be reached.',
    fr: 'Le destinataire n’a pas pu être joint.',
  },
  invalid_request: {
    en: 'The agency could not read the order.',
    fr: 'L’agence n’a pas pu lire l’ordre.',
  },
  withheld: {
    en: 'It was withheld: the girl was on hold.',
    fr: 'Il a été retenu : l’élève était bloquée.',
  },
  cancelled: {
    en: 'It was written off before it was sent.',
    fr: 'Il a été passé en perte avant d’être envoyé.',
  },
  paid_before: {
    en: 'Its agency said that it had paid this round before sending was held.',
    fr: 'Son agence a dit avoir payé ce tour avant la suspension de l’envoi.',
  },
  stated_before: {
    en: 'A statement has it as paid, although it was not sent from here.',
    fr: 'Un relevé l’indique comme payé, bien qu’il n’ait pas été envoyé d’ici.',
  },
  settled_not_paid: {
    en: 'Two people found that it was not paid.',
    fr: 'Deux personnes ont établi qu’il n’a pas été payé.',
  },
  not_found_settling: {
    en: 'The agency does not know the order, and a person has to decide about it.',
    fr: 'L’agence ne connaît pas l’ordre, et une personne doit se prononcer.',
  },
  refused_when_repeated: {
    en: 'The agency refused the repeated order, and is asked whether it has paid the first one.',
    fr: 'L’agence a refusé l’ordre répété ; on lui demande si elle a payé le premier.',
  },
  refused: {
    en: 'The agency refused, without a reason.',
    fr: 'L’agence a refusé, sans motif.',
  },
  no_answer: {
    en: 'The agency has not answered.',
    fr: 'L’agence n’a pas répondu.',
  },
  not_found: {
    en: 'The agency does not know the order.',
    fr: 'L’agence ne connaît pas l’ordre.',
  },
  not_found_elsewhere: {
    en: 'The agency’s address changed, and the new one does not know the order.',
    fr: 'L’adresse de l’agence a changé et la nouvelle ne connaît pas l’ordre.',
  },
  not_found_too_late: {
    en: 'The agency does not know the order, too long after it was sent.',
    fr: 'L’agence ne connaît pas l’ordre, trop longtemps après son envoi.',
  },
  not_found_any_more: {
    en: 'The agency said that it holds the payment, and does not find it any more.',
    fr: 'L’agence a dit qu’elle détient le paiement, et ne le retrouve plus.',
  },
  no_answer_in_time: tooSlow,
  answer_too_big: unreadable,
  answer_unreadable: unreadable,
  id_unreadable: unreadable,
  fee_unreadable: unreadable,
  key_differs: anotherOrder,
  reference_differs: anotherOrder,
  amount_differs: {
    en: 'The agency named another amount.',
    fr: 'L’agence a indiqué un autre montant.',
  },
  currency_differs: {
    en: 'The agency named another currency.',
    fr: 'L’agence a indiqué une autre devise.',
  },
  recipient_differs: {
    en: 'The agency named another recipient.',
    fr: 'L’agence a indiqué un autre destinataire.',
  },
  transaction_differs: {
    en: 'The agency named a transaction that paid somebody else.',
    fr: 'L’agence a indiqué une transaction qui a payé une autre personne.',
  },
  funds: noFunds,
  insufficientFunds: noFunds,
  identifierError: {
    en: 'The agency knows no account with this number.',
    fr: 'L’agence ne connaît aucun compte avec ce numéro.',
  },
  incorrectState: {
    en: 'The account cannot receive money: it is closed, suspended or not confirmed.',
    fr: 'Le compte ne peut pas recevoir d’argent : il est fermé, suspendu ou non confirmé.',
  },
  samePartiesError: {
    en: 'The number is that of the paying account.',
    fr: 'Le numéro est celui du compte payeur.',
  },
  maxBalanceExceeded: {
    en: 'The account would hold more than it may.',
    fr: 'Le solde du compte dépasserait le maximum permis.',
  },
  lessThanTransactionMinValue: {
    en: 'The amount is below what the agency pays at least.',
    fr: 'Le montant est inférieur au minimum que l’agence paie.',
  },
  greaterThanTransactionMaxValue: {
    en: 'The amount is above what the agency pays at most.',
    fr: 'Le montant est supérieur au maximum que l’agence paie.',
  },
  requestDeclined: {
    en: 'The holder of the paying account did not approve the payment.',
    fr: 'Le titulaire du compte payeur n’a pas approuvé le paiement.',
  },
  duplicateRequest: {
    en: 'The agency has an order with this key already.',
    fr: 'L’agence a déjà un ordre avec cette clé.',
  },
  rateLimitError: {
    en: 'The agency had too many orders at once.',
    fr: 'L’agence a reçu trop d’ordres à la fois.',
  },
  genericError: {
    en: 'The agency refused the order and gave no further reason.',
    fr: 'L’agence a refusé l’ordre, sans autre motif.',
  },
  'recipient-minor': {
    en: 'The account belongs to a minor, who cannot be paid.',
    fr: 'Le compte appartient à une personne mineure, qui ne peut pas être payée.',
  },
  'recipient-account-blocked': accountBlocked,
  'recipient-account-inactive': {
    en: 'The number has no active account.',
    fr: 'Le numéro n’a pas de compte actif.',
  },
  'recipient-limit-exceeded': limitExceeded,
  'insufficient-funds': noFunds,
  reversed: {
    en: 'The agency took the payment back.',
    fr: 'L’agence a annulé le paiement.',
  },
  // Codes of banks (ISO 20022).
  AC01: noAccount,
  AC03: noAccount,
  AC14: noAccount,
  AC04: { en: 'The account is closed.', fr: 'Le compte est clôturé.' },
  AC06: accountBlocked,
  MD07: {
    en: 'The bank says that the holder of the account has died.',
    fr: 'La banque indique que le titulaire du compte est décédé.',
  },
  BE01: nameDiffers,
  BE04: nameDiffers,
  BE06: nameDiffers,
  BE07: nameDiffers,
  RR03: nameDiffers,
  RC01: noSuchBank,
  RC04: noSuchBank,
  AM02: limitExceeded,
  AM14: limitExceeded,
  AM21: limitExceeded,
  AM04: noFunds,
  AM05: {
    en: 'The bank has this order already. Its statement shows whether it was paid.',
    fr: 'La banque a déjà cet ordre. Son relevé montre s’il a été payé.',
  },
  AC02: payerRefused,
  AC05: payerRefused,
  AG01: payerRefused,
  AG02: payerRefused,
  BE05: payerRefused,
  MS02: bankGaveNoReason,
  MS03: bankGaveNoReason,
  NARR: bankGaveNoReason,
  AM09: notAccepted,
  AM10: notAccepted,
  AM12: notAccepted,
  CURR: notAccepted,
  DT01: notAccepted,
  FF01: notAccepted,
  RR04: notAccepted,
  AB05: tooSlow,
  AB06: tooSlow,
  AB08: brokeOff,
  ED05: ownFault,
  TM01: {
    en: 'The bank got the file too late for that day.',
    fr: 'La banque a reçu le fichier trop tard pour ce jour-là.',
  },
  http_503: {
    en: 'The agency was not available.',
    fr: 'L’agence n’était pas disponible.',
  },
  http_504: tooSlow,
  UND_ERR_HEADERS_TIMEOUT: tooSlow,
  UND_ERR_BODY_TIMEOUT: tooSlow,
}

/**
 * Faults that have many codes: of the line (`ECONNRESET`, `UND_ERR_SOCKET`), of the agency's server (`http_5…`), and of
 * orders that an agency does not accept (`request-validation-error`, `formatError`), and of limits for a day or a month
 * (`dailyValueLimitExceeded`).
 */
function kindOf(reason: string): Text | undefined {
  if (/^http_5\d\d$/.test(reason)) return ownFault
  if (/^request-|-mismatch$|^aggregated-/.test(reason)) return notAccepted
  if (/^(format|length)Error$|^negativeValue$|NotSupported$|NotSupplied$/.test(reason)) return notAccepted
  if (/^(daily|weekly|monthly|accountMaxTotal)(Volume|Value)(Limit)?Exceeded$/.test(reason))
    return limitExceeded
  return /^(UND_ERR_|E[A-Z]+$)/.test(reason) ? brokeOff : undefined
}

/** The reason as a sentence; undefined for one that nobody has met yet. */
export function reasonSentence(reason: string, locale: Locale): string | undefined {
  return (failureReasons[reason] ?? kindOf(reason))?.[locale]
}

/** The reason as a sentence, or as its code where none is known. */
export const failureReason = (reason: string, locale: Locale): string =>
  reasonSentence(reason, locale) ?? reason
