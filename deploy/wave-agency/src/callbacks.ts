import { createHmac, randomUUID } from 'node:crypto'
import { shown } from './orders.ts'
import type { Payout, Switches } from './wallet.ts'

/** Reports a payout that has ended, as often as the switch says. Nobody waits for it, and a lost one is not repeated. */
export function report(payout: Payout, { callback }: Switches): void {
  if (!callback) return
  const body = JSON.stringify({ id: `EV_${randomUUID()}`, type: 'payout.ended', data: shown(payout) })
  for (let n = 0; n < callback.times; n++) {
    const seconds = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', callback.secret)
      .update(seconds + body)
      .digest('hex')
    fetch(callback.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'wave-signature': `t=${seconds},v1=${signature}` },
      body,
    }).catch(() => {})
  }
}
