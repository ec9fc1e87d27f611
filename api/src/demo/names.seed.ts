import type { Country } from '@portal/contracts/fields'

const words = (text: string) => text.trim().split(/\s+/)
const lines = (text: string) =>
  Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => {
        const [group = '', names = ''] = line.split(':')
        return [group.trim(), names.split(',').map((name) => name.trim())]
      }),
  )

/** First names, the most frequent first. */
export const firstNames = {
  ml: {
    female:
      words(`Fatoumata Aminata Mariam Aïssata Kadiatou Oumou Awa Djénéba Rokia Hawa Bintou Assitan Salimata Fanta Maïmouna
      Ramata Kadidia Nana Sitan Sira Sali Safiatou Nafissatou Coumba Aminatou Fadima Haby Korotoumou Tenin Niélé Binta Penda
      Mariétou Adjaratou Astan Néné Aïcha Habibatou Lalla Zeïnabou Halimatou Mamou Aramata Sanaba Kani Worokia Founè Massaran
      Saran Nassira Ouleymatou Dado Wassila Ténimba Kankou Minata Nagnouma Naminata Sokona Hawoye Agaïcha Batoma Niagalé Marie
      Rosalie Thérèse Élisabeth Madeleine Agnès Yakaré Goundo Niouma`),
    male: words(`Mamadou Moussa Amadou Ibrahim Abdoulaye Oumar Seydou Adama Souleymane Boubacar Drissa Issa Modibo Bakary Ousmane
      Cheick Mahamadou Youssouf Yacouba Fousseyni Lassana Sékou Salif Sidiki Kassim Hamidou Madou Daouda Siaka Zoumana Bourama
      Lamine Yaya Soumaïla Karim Mahamane Alassane Aly Samba Demba Hamadoun Bréhima Tiémoko Dramane Alou Idrissa Nouhoum
      Tidiani Dialla Sory Kalifa Makan Mody Zié Tiécoura Diby Nampaga Ambadio Amadingué Anaye Ogobara Harouna Bouya Boucary
      Gaoussou Siriki Waly Hamet Diadié Jean Pierre Paul Joseph Emmanuel`),
  },
  tamasheq: {
    female: words('Fadimata Tinalbaraka Lallaïcha Mouna Agaïcha Zeïnabou'),
    male: words('Mohamed Ahmed Sidi Attaher Alhousseini Ilyas Alhassane Mahamane'),
  },
  sn: {
    female:
      words(`Fatou Aïssatou Mariama Aminata Ndèye Khady Awa Coumba Astou Mame Adama Dieynaba Rokhaya Sokhna Bineta Maïmouna
      Penda Seynabou Oumou Ramatoulaye Marème Yacine Nafissatou Kiné Anta Binta Codou Daba Gnilane Maty Soda Arame Aby Oulèye
      Diarra Kadiatou Marie Thérèse Bernadette`),
    male: words(`Mamadou Moussa Ibrahima Ousmane Abdoulaye Cheikh Modou Pape Alioune Babacar Amadou Assane Saliou Serigne Mbaye
      Malick Lamine Samba Oumar Aliou Demba Souleymane Boubacar Idrissa Khadim Mor Ngor Waly Bocar Landing Ansoumana Jean
      Pierre Augustin`),
  },
}

/** Surnames by group of families, which mostly share a language. The most frequent come first. */
export const surnames: Record<string, string[]> = lines(`
mande: Traoré, Coulibaly, Keïta, Diarra, Koné, Camara, Cissé, Touré, Sangaré, Sidibé, Diallo, Dembélé, Konaté, Sissoko, Doumbia, Kouyaté, Diabaté, Fofana, Bagayoko, Diakité, Samaké, Kanté, Doumbouya, Tounkara, Danté, Fané, Ballo, Sinayoko, Sacko, Mariko, Bamba, Niaré, Dagnoko, Fomba, Togola, Berthé, Kamissoko, Dansoko, Macalou, Damba, Kouma, Sogoba, Koumaré, Tangara
soninke: Diawara, Soumaré, Dramé, Tandia, Kébé, Gassama, Doucouré, Diagouraga, Sylla, Soukouna, Sakho, Niakaté, Wagué, Magassa, Simpara, Cissokho, Tamboura, Kanouté, Yattabaré, Diaby
fula: Diallo, Sidibé, Bah, Barry, Sow, Ba, Cissé, Dicko, Tall, Bocoum, Sankaré, Boly, Diall, Ly, Sy, Kane, Tamboura
songhay: Maïga, Touré, Cissé, Traoré, Haïdara, Arby, Sango, Djitteye, Yattara, Kounta
dogon: Guindo, Ongoïba, Togo, Dolo, Karambé, Poudiougou, Tembely, Kassogué, Sagara, Kodio, Yalcouyé, Témé, Djiguiba, Tessougué, Nantoumé, Niangaly
senoufo: Koné, Berthé, Bengaly, Goïta, Dao, Sanogo, Ouattara, Diassana, Bagayogo, Malé, Kamaté
bwa: Dembélé, Diarra, Coulibaly, Théra, Dakouo, Mounkoro, Sogoba, Goïta
bozo: Konta, Kontao, Thiéro, Karabenta, Sininta, Minta, Salamanta, Nientao, Djiré, Tienta
wolof: Ndiaye, Diop, Fall, Gueye, Mbaye, Niang, Seck, Thiam, Lo, Mbow, Sarr, Samb, Wade, Kane, Dieng, Ndao, Touré, Cissé, Diagne, Sène
sereer: Ndiaye, Sarr, Sène, Faye, Diouf, Ndour, Ngom, Diome, Thior, Dione
pulaar: Diallo, Ba, Sow, Barry, Sy, Ly, Dia, Baldé, Wane, Tall, Sall, Anne, Kandé, Mballo, Diamanka, Kane
joola: Diatta, Diédhiou, Sané, Badji, Coly, Sambou, Goudiaby, Bodian, Manga
mandinka: Mané, Dabo, Camara, Konté, Touré, Cissé
soninke_sn: Cissokho, Diakité, Gassama, Dramé, Tandian, Koïta, Traoré, Soumaré
`)

/**
 * Groups of surnames by region. A group that is listed twice is twice as frequent. `*` stands for all other regions.
 */
export const peoples: Record<Country, Record<string, string[]>> = {
  ml: {
    KAYES: ['soninke', 'soninke', 'mande', 'mande', 'fula'],
    KITA: ['mande', 'mande', 'mande', 'fula'],
    NIORO: ['soninke', 'soninke', 'fula', 'mande'],
    SIKASSO: ['senoufo', 'senoufo', 'mande'],
    KOUTIALA: ['senoufo', 'senoufo', 'mande'],
    SAN: ['bwa', 'bwa', 'mande'],
    MOPTI: ['fula', 'fula', 'bozo', 'songhay', 'mande'],
    DOUENTZA: ['fula', 'dogon', 'songhay'],
    BANDIAGARA: ['dogon', 'dogon', 'dogon', 'fula'],
    TOMBOUCTOU: ['songhay', 'songhay', 'tamasheq', 'fula'],
    GAO: ['songhay', 'songhay', 'songhay', 'tamasheq'],
    MENAKA: ['tamasheq', 'tamasheq', 'songhay'],
    KIDAL: ['tamasheq', 'tamasheq', 'tamasheq', 'songhay'],
    BAMAKO: ['mande', 'mande', 'mande', 'fula', 'soninke', 'songhay', 'dogon', 'senoufo'],
    '*': ['mande', 'mande', 'mande', 'fula'],
  },
  sn: {
    FATICK: ['sereer', 'sereer', 'wolof'],
    THIES: ['wolof', 'wolof', 'sereer'],
    MATAM: ['pulaar', 'pulaar', 'pulaar', 'soninke_sn'],
    'SAINT-LOUIS': ['wolof', 'pulaar', 'pulaar'],
    KOLDA: ['pulaar', 'pulaar', 'mandinka'],
    SEDHIOU: ['mandinka', 'mandinka', 'joola'],
    ZIGUINCHOR: ['joola', 'joola', 'mandinka', 'pulaar'],
    TAMBACOUNDA: ['pulaar', 'mandinka', 'soninke_sn'],
    KEDOUGOU: ['pulaar', 'mandinka'],
    '*': ['wolof', 'wolof', 'pulaar', 'sereer'],
  },
}

/** The language at home of each group of surnames, as a code of the reference lists. */
export const homeLanguages: Record<string, string> = {
  mande: 'bamanankan',
  soninke: 'soninke',
  fula: 'fulfulde',
  songhay: 'songhoy',
  dogon: 'dogoso',
  senoufo: 'mamara',
  bwa: 'bomu',
  bozo: 'bozo',
  tamasheq: 'tamasheq',
  wolof: 'wolof',
  sereer: 'serer',
  pulaar: 'pulaar',
  joola: 'joola',
  mandinka: 'mandinka',
  soninke_sn: 'soninke',
}

/** Names of people in public life, which no made-up person may have. */
export const publicNames = new Set(
  `Modibo Keïta, Moussa Traoré, Ibrahim Keïta, Soumaïla Cissé, Salif Keïta, Seydou Keïta, Oumou Sangaré, Rokia Traoré, Oumar Mariko,
  Fatoumata Diawara, Cheick Diabaté, Mamadou Diabaté, Adama Traoré, Boubacar Traoré, Souleymane Cissé, Lassana Diarra,
  Mahamadou Diarra, Amadou Haïdara, Kalifa Coulibaly, Moussa Sissoko, Aly Touré, Fanta Diarra, Aminata Dramé, Aminata Traoré,
  Cheick Kouyaté, Sory Bamba, Oumar Diallo, Drissa Diakité, Mamadou Sangaré, Aminata Touré, Abdoulaye Wade, Idrissa Seck, Mamadou Dia,
  Ibrahima Ba, Amadou Ba, Pape Gueye, Idrissa Gueye, Abdoulaye Diop, Marème Faye, Fatou Diome, Babacar Niang, Cheikh Diop,
  Moussa Diagne, Amadou Sow, Ousmane Sow, Mamadou Kane, Pape Sarr, Ibrahima Sarr, Malick Sy, Aïssata Tall, Abdoulaye Seck,
  Seydou Touré, Sékou Touré, Samba Sow, Alioune Mbaye, Khadim Ndiaye, Abdoulaye Faye, Aminata Diallo, Mamadou Sakho, Mamadou Niang`
    .split(',')
    .map((name) => name.trim().replace(/\s+/g, ' ')),
)
