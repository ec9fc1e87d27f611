import { i18n } from '@lingui/core'
import { cohortSteps } from '@portal/contracts/transfers/steps/cohort'
import { drawInShell } from '@portal/screens/test-host'
import { act } from 'react'
import { expect, test } from 'vitest'
import { NextStep } from './NextStep.tsx'

const answers = () => ({ body: {} })

test('an approver reads what she can do about a halted cohort, an officer whom to ask, in either language', async () => {
  const approver = await drawInShell(<NextStep of={cohortSteps} state="error" />, answers)
  expect(approver.box.textContent).toBe(
    'Nothing more is sent until it is approved again. Once the cause is cured, retry the approval.',
  )
  await approver.end()
  const officer = await drawInShell(<NextStep of={cohortSteps} state="error" onlyNext />, answers, '/', [
    'cohorts.approve',
  ])
  expect(officer.box.textContent).toBe('Once the cause is cured, ask an approver to retry the approval.')
  i18n.load('fr', {})
  act(() => i18n.activate('fr'))
  expect(officer.box.textContent).toBe(
    'Une fois la cause réglée, demandez à un approbateur de relancer l’approbation.',
  )
  act(() => i18n.activate('en'))
  await officer.end()
})

test('a person reads nothing about what goes on by itself', async () => {
  const { box, end } = await drawInShell(<NextStep of={cohortSteps} state="approved" />, answers)
  expect(box.textContent).toBe('')
  await end()
})
