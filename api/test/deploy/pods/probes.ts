import { setTimeout as pause } from 'node:timers/promises'

type Probe = {
  httpGet: {
    path: string
    port: string | number
    scheme?: string
    httpHeaders?: { name: string; value: string }[]
  }
  periodSeconds?: number
  timeoutSeconds?: number
  failureThreshold?: number
}
export type Probes = { startupProbe?: Probe; livenessProbe?: Probe; readinessProbe?: Probe }
type Container = Probes & { ports?: { name: string; containerPort: number }[] }

/** Asks a container as a kubelet does. It is ready only after its first probe has passed. */
export class Probed {
  isReady = false
  /** What a kubelet would kill the container for. */
  readonly faults: string[] = []
  #works = true
  readonly #address: string
  readonly #container: Container

  constructor(address: string, container: Container) {
    this.#address = address
    this.#container = container
  }

  /** Asks at the periods of the manifest until it is stopped. Resolves once the container is started and ready. */
  async start(): Promise<void> {
    const { startupProbe, livenessProbe, readinessProbe } = this.#container
    if (!startupProbe || !livenessProbe || !readinessProbe) throw new Error('A probe is missing.')
    const { periodSeconds = 10, failureThreshold = 3 } = startupProbe
    let failures = 0
    while (!(await this.#ask(startupProbe))) {
      failures += 1
      if (failures >= failureThreshold)
        throw new Error(`It did not start within ${failures} × ${periodSeconds} s.`)
      await pause(periodSeconds * 1000)
    }
    void this.#keepAsking(livenessProbe, (alive) => {
      if (!alive) this.faults.push('The probe of liveness failed.')
    })
    const ready = Promise.withResolvers<void>()
    void this.#keepAsking(readinessProbe, (is) => {
      this.isReady = is
      if (is) ready.resolve()
    })
    const late = setTimeout(() => ready.reject(new Error('It did not become ready within 60 s.')), 60_000)
    await ready.promise.finally(() => clearTimeout(late))
  }

  stop() {
    this.#works = false
    this.isReady = false
  }

  /** Tells every success, and a failure once there were as many as the threshold. */
  async #keepAsking(probe: Probe, tell: (passed: boolean) => void) {
    let failures = 0
    while (this.#works) {
      const passed = await this.#ask(probe)
      failures = passed ? 0 : failures + 1
      if (this.#works && (passed || failures >= (probe.failureThreshold ?? 3))) tell(passed)
      await pause((probe.periodSeconds ?? 10) * 1000, undefined, { ref: false })
    }
  }

  async #ask({ httpGet, timeoutSeconds = 1 }: Probe): Promise<boolean> {
    const { path, port, scheme = 'HTTP', httpHeaders = [] } = httpGet
    const number =
      typeof port === 'number'
        ? port
        : this.#container.ports?.find(({ name }) => name === port)?.containerPort
    if (!number) throw new Error(`No port is called ${port}.`)
    const signal = AbortSignal.timeout(timeoutSeconds * 1000)
    const headers = Object.fromEntries(httpHeaders.map(({ name, value }) => [name, value]))
    return fetch(`${scheme.toLowerCase()}://${this.#address}:${number}${path}`, { signal, headers }).then(
      ({ status }) => status >= 200 && status < 400,
      () => false,
    )
  }
}
