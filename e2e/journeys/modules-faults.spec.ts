import { contractVersion } from '@portal/sdk/registry'
import { expectState, openModule } from '../faults/expect-state.ts'
import { breakAll, complaints, statesOf } from '../faults/states.ts'
import { expectRestAlive, install, test } from '../faults/test.ts'

const states = statesOf(contractVersion)

for (const locale of ['en-GB', 'fr-FR']) {
  test.describe(locale, () => {
    test.use({ locale })

    test('a person reads for a module in each failure state what is wrong, and everything else works', async ({
      person,
      say,
      line,
      expected,
    }) => {
      test.setTimeout(300_000)
      expected.push(...complaints)
      install(line, ...states)
      breakAll(line, states)
      const admin = await person('admin')
      await admin.goto('/home')
      for (const state of states)
        await test.step(state.what, async () => {
          await openModule(admin, state, say)
          await expectState(admin, state, say)
        })
      await expectRestAlive(admin, say)
    })
  })
}
