import { expect, test } from 'vitest'
import { compareNames, type NameAgreement } from './holder-names.ts'

/** The name on the list, and the one that an agency tells. */
const cases: Record<NameAgreement, [ours: string, theirs: string][]> = {
  match: [
    ['Fatoumata Traoré', 'TRAORE FATOUMATA'],
    ['Aïssata Keïta', 'keita aissata'],
    ['Aminata Coulibaly', 'Mme Aminata COULIBALY'],
    ['Mariam Diarra', 'Diarra Mariam Awa'],
    ['Ndèye-Fatou Ndiaye', 'NDEYE FATOU NDIAYE'],
    ['N’Deye Fatou N’Diaye', 'Ndeye Fatou Ndiaye'],
    ['Awa Diallo Ba', 'Awa BA'],
    ['Fatou Mata Sangaré', 'Fatoumata Sangaré'],
    ['El Hadji Malick Sy', 'Malick SY'],
    ['Kadiatou Cissé épouse Touré', 'Kadiatou Cisse Toure'],
    ['Oumou', 'OUMOU'],
  ],
  near: [
    ['Fatoumata Diarra', 'F*** D***'],
    ['Fatoumata Diarra', 'FATOUMATA D.'],
    ['Fatoumata Diarra', 'Fato***ta DIA***'],
    ['Fatoumata Diarra', 'F. Diarra'],
    ['Fatou Ndiaye', 'Fatoumata Ndiaye'],
    ['Mamadou Diop', 'Mdou Diop'],
    ['Mohamed Ag Alhousseini', 'Md Ag Alhousseini'],
    ['Aminata Coulibaly', 'Aminata Koulibaly'],
    ['Aïssatou Gueye', 'Aissatuo Gueye'],
    ['Fatoumata Bintou Traoré', 'Fatoumata Awa Traoré'],
    ['Mariam Traoré', 'TRAORE'],
  ],
  different: [
    ['Fatoumata Diarra', 'Moussa Traoré'],
    ['Mariam Traoré', 'Awa Traoré'],
    ['Fatoumata Diarra', 'A*** D***'],
    ['Fatoumata Diarra', 'M. Traoré'],
    ['Awa Ba', 'Awa Ka'],
    ['Fatou Fall', 'Fatou Sall'],
    ['Awa Sy', 'Awa So'],
    ['Aminata Diop', 'D***'],
    ['Aminata Diop', '***'],
    ['Aminata Diop', ''],
  ],
}

test.each(
  Object.entries(cases).flatMap(([agreement, pairs]) => pairs.map((pair) => [...pair, agreement] as const)),
)(
  '“%s” on the list and “%s” at the agency are judged as %s, whichever stands where',
  (ours, theirs, agreement) => {
    expect([compareNames(ours, theirs), compareNames(theirs, ours)]).toEqual([agreement, agreement])
  },
)
