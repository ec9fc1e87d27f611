import { useLingui } from '@lingui/react/macro'
import type { Erasure, ErasureState, PersonKind } from '@portal/contracts/access/person-data'
import { StatusPill, type Tone } from '@portal/ui/StatusPill'

/** What a person is to the programme. */
function useKindWords(): Record<PersonKind, string> {
  const { t } = useLingui()
  return {
    student: t`Student`,
    guardian: t`Guardian`,
    teacher: t`Teacher`,
    user: t`User`,
    expert: t`Expert`,
  }
}

/** By what a person is found again when her name is gone: "Student, number 12". */
export function useRecordWords(): (kind: PersonKind, number: number) => string {
  const { t } = useLingui()
  const words = useKindWords()
  return (kind, number) => {
    const what = words[kind]
    return t`${what}, number ${number}`
  }
}

/** What a request to erase went through, in words. */
export function useStateWords(): Record<ErasureState, string> {
  const { t } = useLingui()
  return {
    asked: t`To decide`,
    approved: t`Being erased`,
    refused: t`Refused`,
    withdrawn: t`Taken back`,
    erased: t`Erased`,
    stopped: t`Stopped`,
  }
}

const tones: Record<ErasureState, Tone> = {
  asked: 'waiting',
  approved: 'info',
  refused: 'bad',
  withdrawn: 'neutral',
  erased: 'good',
  stopped: 'bad',
}

/** The state of a request, as icon and word. */
export function ErasurePill({ state, overdue }: Pick<Erasure, 'state' | 'overdue'>) {
  const { t } = useLingui()
  const words = useStateWords()
  if (overdue) return <StatusPill tone="bad">{t`Overdue`}</StatusPill>
  return <StatusPill tone={tones[state]}>{words[state]}</StatusPill>
}

/** Whether it waits for a decision, or for the erasure itself. */
export const isOpen = ({ state }: Erasure) => state === 'asked' || state === 'approved'
