import { t } from '@lingui/core/macro'
import type { ModuleChange, ModuleError, ModuleStatus } from '@portal/contracts/modules'
import { currentLocale } from '@portal/i18n/locale'
import type { IconName } from '@portal/ui/Icon'

/** Name of a module in the person's language. */
export const titleOf = (module: Pick<ModuleStatus, 'title'>) => module.title[currentLocale()]

type Build = { version: string; build: string }

/** A version beside another one; the product's own modules are built again and again under one, so its build tells. */
export const versionBeside = ({ version, build }: Build, other: Build) =>
  version === other.version ? `${version} (${build.slice(0, 7)})` : version

/** Why a module is not offered although it is in the registry. */
export function withheldText(why: NonNullable<ModuleStatus['withheld']>): string {
  const words = {
    unsigned: () => t`nobody has signed it`,
    signature: () => t`signed with a key that may not`,
    revoked: () => t`withdrawn by its publisher`,
    broken: () => t`its record is damaged`,
    isolated: () => t`runs isolated, and the portal has no second address`,
  }
  return words[why]()
}

/** The kind of failure, in a few words. */
export function reasonText(reason: ModuleError['reason']): string {
  const words: Record<ModuleError['reason'], () => string> = {
    slow: () => t`Slow: more than 8 seconds`,
    unreachable: () => t`Did not load`,
    html: () => t`A web page in place of code`,
    contract: () => t`Needs another contract`,
    shared: () => t`Needs another shared version`,
    integrity: () => t`File was changed`,
    invalid: () => t`Not a module`,
    threw: () => t`Stopped while starting`,
    crash: () => t`A page has stopped`,
    uncaught: () => t`An error in its code`,
    withheld: () => t`Withheld`,
  }
  return words[reason]()
}

type What = { text: string; icon: IconName; tone?: 'info' | 'good' | 'bad' }

/** A change of what is live, in words; one that this page does not know shows as it is. */
export function changeWords({ what, version }: ModuleChange): What {
  const words: Record<string, () => What> = {
    publish: () => ({ text: t`Version ${version} published`, icon: 'upload' }),
    release: () => ({ text: t`Version ${version} released with the portal`, icon: 'upload', tone: 'good' }),
    promote: () => ({ text: t`Version ${version} made live`, icon: 'upload', tone: 'good' }),
    canary: () => ({ text: t`Version ${version} tried by some`, icon: 'users', tone: 'info' }),
    rollback: () => ({ text: t`Rolled back to version ${version}`, icon: 'back', tone: 'bad' }),
    pin: () => ({ text: t`Held at version ${version}`, icon: 'pin' }),
    unpin: () => ({ text: t`No longer held at version ${version}`, icon: 'pin' }),
    disable: () => ({ text: t`Switched off`, icon: 'stop', tone: 'bad' }),
    enable: () => ({ text: t`Switched on`, icon: 'play', tone: 'good' }),
    revoke: () => ({ text: t`A version withdrawn`, icon: 'shield', tone: 'bad' }),
    trust: () => ({ text: t`A version trusted`, icon: 'key', tone: 'bad' }),
    isolate: () => ({ text: t`A version isolated`, icon: 'shield', tone: 'good' }),
    remove: () => ({ text: t`Taken out of the portal`, icon: 'stop', tone: 'bad' }),
  }
  return words[what]?.() ?? { text: what, icon: 'info' }
}
