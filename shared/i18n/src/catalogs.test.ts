import { withFrenchSpaces } from '@portal/contracts/sentences'
import { expect, test } from 'vitest'
import { compiledCatalog } from './catalogs.ts'

test('a French sentence keeps its signs with their words, whatever the width', () => {
  expect(withFrenchSpaces('Supprimer « Kita » ? Oui : 12 % de 1 015 000 F CFA')).toBe(
    'Supprimer «\u00a0Kita\u00a0»\u00a0? Oui\u00a0: 12\u00a0% de 1\u00a0015\u00a0000 F\u00a0CFA',
  )
  const words = { quit: { message: 'Leave?', translation: 'Quitter ?' } }
  const { source } = compiledCatalog({ folder: 'any', stored: {}, en: {}, fr: words }, 'fr')
  expect(source).toContain('Quitter\u00a0?')
})
