import { expect, test } from 'vitest'
import { useSessionStore } from './session.ts'

test('two acts that ask for the password at once both go on when a person has given it', async () => {
  const { confirm } = useSessionStore.getState()
  const answers = Promise.all([confirm(), confirm()])
  useSessionStore.getState().confirming?.(true)
  expect(await answers).toEqual([true, true])
  expect(useSessionStore.getState().confirming).toBeNull()
})
