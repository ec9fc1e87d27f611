import type { Host } from '@portal/sdk'
import { notify as ui } from '@portal/ui/notify'

/** Messages as modules send them. */
export const notify: Host['notify'] = { good: ui.success, bad: ui.error, info: ui.info }
