import type { accountFields } from '@portal/contracts/access/users.fields'
import { Fragment, type ReactNode } from 'react'

type Props = { inputs: Record<keyof typeof accountFields, ReactNode> }

/** The fields of an account, as both of its forms place them: two beside each other, e-mail and type over the whole width. */
export function UserInputs({ inputs }: Props) {
  const { first_name, last_name, email, type, ...others } = inputs
  return (
    <>
      <div className="fields pair">
        {first_name}
        {last_name}
      </div>
      {email}
      <div className="fields pair">
        {Object.entries(others).map(([name, input]) => (
          <Fragment key={name}>{input}</Fragment>
        ))}
      </div>
      {type}
    </>
  )
}
