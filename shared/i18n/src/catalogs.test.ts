import { expect, test } from 'vitest'
import { compiledCatalog, withFrenchSpaces } from './catalogs.ts'

test('a French sentence keeps its signs with their words, whatever the width', () => {
  expect(withFrenchSpaces('Voulez-vous vraiment supprimer « Kita » ? Oui : 12 %')).toBe(
    'Voulez-vous vraiment supprimer «\u00a0Kita\u00a0»\u00a0? Oui\u00a0: 12\u00a0%',
  )
  const words = { quit: { message: 'Leave?', translation: 'Quitter ?' } }
  const { source } = compiledCatalog({ folder: 'any', stored: {}, en: {}, fr: words }, 'fr')
  expect(source).toContain('Quitter\u00a0?')
})
