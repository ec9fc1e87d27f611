import type { Country } from '@portal/contracts/fields'
import type { Text } from '@portal/contracts/sentences'

/**
 * The closed lists of the product (Registers 4.1). The order of their values is the order in which they are offered.
 * Some values belong to one country only.
 */
export type List =
  | 'class_level'
  | 'language'
  | 'school_type'
  | 'partner_type'
  | 'employment_type'
  | 'case_type'
  | 'case_channel'
  | 'case_tag'

type Values = Record<string, Text>

const same = (name: string): Text => ({ en: name, fr: name })

// The codes are stored, and the files of the registers contain them.
const maliLevels: Values = Object.fromEntries(
  Array.from({ length: 12 }, (_, k) => {
    const year = k + 1
    const stage = year <= 9 ? { en: 'fundamental', fr: 'fondamentale' } : { en: 'lycée', fr: 'lycée' }
    return [
      String(year),
      { en: `Year ${year}, ${stage.en}`, fr: `${year}${year === 1 ? 're' : 'e'} année, ${stage.fr}` },
    ]
  }),
)

const senegalLevels: Values = {
  CI: { en: 'CI, elementary year 1', fr: 'CI, cours d’initiation' },
  CP: { en: 'CP, elementary year 2', fr: 'CP, cours préparatoire' },
  CE1: { en: 'CE1, elementary year 3', fr: 'CE1, cours élémentaire 1' },
  CE2: { en: 'CE2, elementary year 4', fr: 'CE2, cours élémentaire 2' },
  CM1: { en: 'CM1, elementary year 5', fr: 'CM1, cours moyen 1' },
  CM2: { en: 'CM2, elementary year 6', fr: 'CM2, cours moyen 2' },
  '6E': { en: '6e, middle school year 1', fr: '6e, collège' },
  '5E': { en: '5e, middle school year 2', fr: '5e, collège' },
  '4E': { en: '4e, middle school year 3', fr: '4e, collège' },
  '3E': { en: '3e, middle school year 4', fr: '3e, collège' },
  '2NDE': { en: '2nde, lycée year 1', fr: '2nde, lycée' },
  '1RE': { en: '1re, lycée year 2', fr: '1re, lycée' },
  TLE: { en: 'Tle, lycée year 3', fr: 'Terminale, lycée' },
}

const bothLists: Partial<Record<List, Values>> = {
  language: {
    francais: { en: 'French', fr: 'Français' },
    soninke: same('Soninke'),
    // Spoken on both banks of the river: one language, and one line of the list.
    hasanya: { en: 'Hassaniya', fr: 'Hasanya (maure)' },
  },
  school_type: {
    public: { en: 'Public school', fr: 'École publique' },
    community: { en: 'Community school', fr: 'École communautaire' },
    private: { en: 'Private school', fr: 'École privée' },
    lycee: { en: 'Lycée', fr: 'Lycée' },
  },
  partner_type: {
    ngo: { en: 'Non-governmental organisation', fr: 'Organisation non gouvernementale' },
    association: { en: 'Local association', fr: 'Association locale' },
    foundation: { en: 'Foundation', fr: 'Fondation' },
    government: { en: 'Government service', fr: 'Service de l’État' },
    united_nations: { en: 'United Nations agency', fr: 'Agence des Nations unies' },
    research: { en: 'Research institute', fr: 'Institut de recherche' },
  },
  employment_type: {
    civil_servant: { en: 'Civil servant', fr: 'Fonctionnaire' },
    local_authority: { en: 'Employed by the local authority', fr: 'Agent des collectivités' },
    contract: { en: 'Contract teacher', fr: 'Contractuel' },
    community: { en: 'Paid by the community', fr: 'Enseignant communautaire' },
    volunteer: { en: 'Volunteer', fr: 'Volontaire' },
  },
  case_type: {
    payment_not_received: { en: 'Payment not received', fr: 'Paiement non reçu' },
    wrong_amount: { en: 'Wrong amount', fr: 'Montant erroné' },
    wrong_recipient: { en: 'Wrong name or number', fr: 'Nom ou numéro erroné' },
    not_on_list: { en: 'Left out of the list', fr: 'Oubliée de la liste' },
    attendance: { en: 'Attendance disputed', fr: 'Présence contestée' },
    misuse: { en: 'Misuse of the money', fr: 'Détournement de l’argent' },
    safeguarding: { en: 'Safety of a girl', fr: 'Sécurité d’une élève' },
    personal_data: { en: 'Personal data', fr: 'Données personnelles' },
    other: { en: 'Other', fr: 'Autre' },
  },
  case_channel: {
    hotline: { en: 'Hotline', fr: 'Numéro vert' },
    sms: { en: 'SMS', fr: 'SMS' },
    school: { en: 'At the school', fr: 'À l’école' },
    committee: { en: 'School management committee', fr: 'Comité de gestion scolaire' },
    visit: { en: 'Field visit', fr: 'Visite de terrain' },
    email: { en: 'E-mail', fr: 'E-mail' },
    letter: { en: 'Letter', fr: 'Courrier' },
  },
  case_tag: {
    urgent: { en: 'Urgent', fr: 'Urgent' },
    phone_number: { en: 'Phone number', fr: 'Numéro de téléphone' },
    identity: { en: 'Identity', fr: 'Identité' },
    agency: { en: 'Transfer agency', fr: 'Agence de transfert' },
    school_change: { en: 'Change of school', fr: 'Changement d’école' },
    displaced: { en: 'Displaced family', fr: 'Famille déplacée' },
    several_girls: { en: 'Several girls', fr: 'Plusieurs filles' },
    repeated: { en: 'Reported before', fr: 'Déjà signalé' },
  },
}

const maliLists: Partial<Record<List, Values>> = {
  class_level: maliLevels,
  language: {
    bamanankan: { en: 'Bambara', fr: 'Bamanankan (bambara)' },
    bomu: same('Bomu'),
    bozo: same('Bozo'),
    dogoso: { en: 'Dogon', fr: 'Dogoso (dogon)' },
    fulfulde: { en: 'Fulfulde', fr: 'Fulfulde (peul)' },
    mamara: { en: 'Minyanka', fr: 'Mamara (minyanka)' },
    maninkakan: { en: 'Maninka', fr: 'Maninkakan (malinké)' },
    songhoy: { en: 'Songhay', fr: 'Songhoy' },
    syenara: { en: 'Senufo', fr: 'Syenara (sénoufo)' },
    tamasheq: { en: 'Tamasheq', fr: 'Tamasheq' },
    xaasongaxanno: { en: 'Khassonke', fr: 'Xaasongaxanno (khassonké)' },
  },
  school_type: { medersa: { en: 'Medersa', fr: 'Médersa' } },
}

const senegalLists: Partial<Record<List, Values>> = {
  class_level: senegalLevels,
  language: {
    wolof: same('Wolof'),
    pulaar: same('Pulaar'),
    serer: { en: 'Serer', fr: 'Sérère' },
    joola: { en: 'Jola', fr: 'Joola' },
    mandinka: { en: 'Mandinka', fr: 'Mandinka' },
    balante: { en: 'Balanta', fr: 'Balante' },
  },
  school_type: {
    elementary: { en: 'Elementary school', fr: 'École élémentaire' },
    cem: { en: 'Middle school (CEM)', fr: 'Collège d’enseignement moyen' },
  },
}

export type ListedValue = {
  list: List
  code: string
  en: string
  fr: string
  country: Country | null
  position: number
}

/** The values for one country: those of both countries, then its own. */
export function listedValues(country: Country): ListedValue[] {
  const own = country === 'ml' ? maliLists : senegalLists
  return [...rowsOf(bothLists, null, 0), ...rowsOf(own, country, 100)]
}

function rowsOf(
  lists: Partial<Record<List, Values>>,
  country: ListedValue['country'],
  from: number,
): ListedValue[] {
  return Object.entries(lists).flatMap(([list, values]) =>
    // An object lists integer keys first and in ascending order, which is the right order for years of school.
    Object.entries(values).map(([code, text], at) => ({
      list: list as List,
      code,
      ...text,
      country,
      position: from + at + 1,
    })),
  )
}
