import { sendingHold } from '@portal/contracts/transfers/sending-hold'
import { usePoll } from '@portal/screens/usePoll'

/** The hold of sending; asked about while there is one, so that pages see it end. */
export function useHold() {
  const poll = usePoll(sendingHold.read, { every: 3000, until: ({ hold }) => hold === null })
  return { hold: poll.data?.hold, problem: poll.error, refetch: poll.refetch }
}
