import { useHost, useParams } from '@portal/sdk'
import { ConsultationRequest } from './ConsultationRequest.tsx'

/** What the consultant will see, for the reviewer who invites. */
export default function PreviewPage() {
  const { client } = useHost()
  const { invite = '' } = useParams()
  return <ConsultationRequest key={invite} client={client} invite={invite} />
}
