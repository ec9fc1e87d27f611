import { FormFailure } from '@portal/screens/FormDialog'
import type { AnyForm } from '@portal/screens/useEndpointForm'
import { Card } from '@portal/ui/Card'
import type { ReactNode } from 'react'

type Props = {
  title: ReactNode
  text?: ReactNode
  form: AnyForm
  /** The general sentence of a refusal, where it is another than the form's own. */
  failure?: string | null
  actions: ReactNode
  children: ReactNode
}

/** A form that stands on the page: its fields, then its buttons. */
export function FormCard({ title, text, form, failure = form.failure, actions, children }: Props) {
  return (
    <Card title={title} text={text} padded>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          form.submit()
        }}
      >
        <FormFailure form={{ ...form, failure }} />
        {children}
        <div className="actions">{actions}</div>
      </form>
    </Card>
  )
}
