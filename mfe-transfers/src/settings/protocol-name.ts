import { t } from '@lingui/core/macro'
import './words.ts'

/** How an agency is spoken to; a protocol that is not known here stands as it is written. */
export function protocolName(protocol: string): string {
  const names: Record<string, string> = {
    sandbox: t`Bundled simulator`,
    wave: t`Wave payouts`,
    gsma: t`GSMA mobile money`,
    file: t`Bank file (ISO 20022)`,
  }
  return names[protocol] ?? protocol
}
