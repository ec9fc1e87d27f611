import { useLingui } from '@lingui/react/macro'
import { currentLocale } from '@portal/i18n/locale'
import { contractVersion } from '@portal/sdk/registry'
import type { IconName } from '@portal/ui/Icon'
import { useState } from 'react'
import type { Failure } from '../failures.ts'
import type { Entry } from '../registry.ts'

/** What to say of a failure, and whether trying again or another build may help. */
export type FailureWords = {
  icon: IconName
  title: string
  text: string
  retry: boolean
  otherBuild: boolean
}

type Words = Record<Failure['reason'], () => FailureWords>

/** Every state of Modules 3.1 in words; each says what happened, what still works and what to do. */
export function useFailureWords(entry: Entry, failure: Failure): FailureWords {
  const { t } = useLingui()
  const withheld = useWithheldWords()
  const name = entry.title[currentLocale()]
  // The state at the failure: the connection may be back when the words are drawn again.
  const [offline] = useState(() => !navigator.onLine)
  const safe = t`The rest of the portal works. What you typed on other pages is kept.`
  const cannotOpen = t`The module ${name} cannot be opened`
  const words: Words = {
    unreachable: () => ({
      icon: 'plug',
      title: offline ? t`There is no connection` : t`The module ${name} did not load`,
      text: offline
        ? `${t`The module ${name} did not load. Try again when the connection is back.`} ${safe}`
        : `${t`Check the connection, then try again.`} ${safe}`,
      retry: true,
      otherBuild: true,
    }),
    html: () => ({
      icon: 'plug',
      title: t`The module ${name} did not load`,
      text: `${t`A web page came in place of its code, so it was not run. Perhaps the network asks you to sign in to it first.`} ${safe}`,
      retry: true,
      otherBuild: true,
    }),
    contract: () => {
      const needed = failure.reason === 'contract' ? failure.needed : ''
      return {
        icon: 'plug',
        title: t`The module ${name} does not fit this portal`,
        text: t`It needs version ${needed} of the contract between portal and modules, and this portal has ${contractVersion}. Its team has to publish it anew.`,
        retry: false,
        otherBuild: true,
      }
    },
    shared: () => {
      const { library, needed, here } =
        failure.reason === 'shared' ? failure : { library: '', needed: '', here: '' }
      return {
        icon: 'plug',
        title: t`The module ${name} does not fit this portal`,
        text: needed
          ? t`It needs version ${needed} of ${library}, and this portal has ${here}. Its team has to publish it anew.`
          : t`It needs ${library}, which this portal does not share with modules. Its team has to publish it anew.`,
        retry: false,
        otherBuild: true,
      }
    },
    integrity: () => ({
      icon: 'shield',
      title: t`The module ${name} was not opened`,
      text: t`A file of it is not the one that was published, so none of it was run. Tell the team named below.`,
      retry: false,
      otherBuild: true,
    }),
    invalid: () => ({
      icon: 'plug',
      title: cannotOpen,
      text: t`It does not offer what a module has to offer. Its team has to publish it anew.`,
      retry: false,
      otherBuild: true,
    }),
    threw: () => ({
      icon: 'alert',
      title: t`The module ${name} stopped while it was starting`,
      text: `${t`A fault in its own code keeps it from opening. Tell the team named below.`} ${safe}`,
      retry: true,
      otherBuild: true,
    }),
    withheld: () => ({
      icon: 'shield',
      title: t`The module ${name} was not opened`,
      text: withheld[failure.reason === 'withheld' ? failure.why : 'broken'],
      retry: false,
      otherBuild: false,
    }),
    disabled: () => ({
      icon: 'stop',
      title: t`The module ${name} is switched off`,
      text: t`An administrator has switched it off for now. The rest of the portal works.`,
      retry: false,
      otherBuild: false,
    }),
    denied: () => ({
      icon: 'lock',
      title: t`Access Denied: you may not open this page.`,
      text: t`An administrator of the portal can give you a role that may.`,
      retry: false,
      otherBuild: false,
    }),
  }
  return words[failure.reason]()
}

function useWithheldWords() {
  const { t } = useLingui()
  const tell = t`Tell the team named below.`
  return {
    unsigned: `${t`Nobody has signed this version, so the portal does not run it.`} ${tell}`,
    signature: `${t`It was signed with a key that may not publish this module, so the portal does not run it.`} ${tell}`,
    revoked: `${t`This version was withdrawn by those who publish it, so the portal no longer runs it.`} ${tell}`,
    broken: `${t`Its record in the registry is damaged, so the portal does not run it.`} ${tell}`,
    isolated: t`It runs isolated, and this portal has no second address for that. Ask an administrator of the portal.`,
  }
}
