import { lazy } from '@portal/screens/lazy'
import { Button } from '@portal/ui/Button'
import { useState } from 'react'
import { add } from './add.ts'
import { primesBelow } from './primes.ts'
import './try.css'

// What is large is fetched after the page.
const MapOfSchools = lazy(() => import('./MapOfSchools.tsx'), 'MapOfSchools')
const Chart = lazy(() => import('./Chart.tsx'), 'Chart')

/** Everything that a module may bring: a map, a chart, a font, a worker, WebAssembly. */
export default function TryPage() {
  const [primes, setPrimes] = useState('')
  const [sum, setSum] = useState('')
  const result = (promise: Promise<unknown>) => promise.catch((fault: Error) => `refused: ${fault.message}`)
  return (
    <div className="stack">
      <h1>Try</h1>
      <p className="wide">A</p>
      <MapOfSchools />
      <Chart />
      <Button onClick={() => void result(primesBelow(100)).then((found) => setPrimes(`Primes: ${found}`))}>
        Count primes
      </Button>
      <p>{primes}</p>
      <Button onClick={() => void result(add(2, 3)).then((found) => setSum(`Sum: ${found}`))}>Add</Button>
      <p>{sum}</p>
    </div>
  )
}
