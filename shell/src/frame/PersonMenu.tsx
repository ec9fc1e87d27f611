import { roleName } from '@portal/contracts/access/role-names'
import { useLingui } from '@portal/sdk'
import { useLazy } from '@portal/ui/lazy'
import { PersonButton } from '@portal/ui/TopBar'
import { useState } from 'react'
import { useSessionStore } from '../session/session.ts'
import { lazyPersonItems } from './lazy-frame.ts'

/** The signed-in person, with a menu that is fetched when somebody comes near. */
export function PersonMenu() {
  // It is drawn again when the language changes, because the role has a name in each language.
  const { i18n } = useLingui()
  const user = useSessionStore((state) => state.session?.user)
  const [near, setNear] = useState(false)
  const [wanted, setWanted] = useState(false)
  const items = useLazy(lazyPersonItems, { wanted: near || wanted })
  if (!user) return null
  const button = (
    <PersonButton
      name={`${user.first_name} ${user.last_name}`}
      role={user.roles[0] && roleName(user.roles[0].name, i18n.locale === 'fr' ? 'fr' : 'en')}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => setNear(true)}
      onFocus={() => setNear(true)}
      onClick={() => setWanted(true)}
    />
  )
  return wanted && items ? <items.PersonItems trigger={button} /> : button
}
