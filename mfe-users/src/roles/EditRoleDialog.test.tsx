import type { Role } from '@portal/contracts/access'
import { activate, loadCatalog } from '@portal/i18n/locale'
import { drawInShell } from '@portal/screens/test-host'
import { click, named } from '@portal/ui/test-render'
import { act, useState } from 'react'
import { expect, test } from 'vitest'
import { EditRoleDialog } from './EditRoleDialog.tsx'

const role: Role = {
  id: 5,
  name: 'Case Reviewer',
  permissions: [],
  dropped: [],
  administrator: false,
  requires_totp: false,
  users: 0,
  version: 1,
}

function Page() {
  const [open, setOpen] = useState(false)
  if (open) return <EditRoleDialog role={role} onClose={() => setOpen(false)} />
  return (
    <button type="button" onClick={() => setOpen(true)}>
      Open
    </button>
  )
}

test('an administrator reads the name of a shipped role in French where she changes it', async () => {
  const { end } = await drawInShell(<Page />, () => ({ body: {} }))
  await act(async () => {
    loadCatalog('fr', {})
    activate('fr')
  })
  await click(named('Open'))
  expect(document.querySelector<HTMLInputElement>('input[name="name"]')?.value).toBe(
    'Responsable de dossiers',
  )
  await end()
})
