/**
 * May it run, and where: permits, worker threads, flights, recent answers, bytes not yet written.
 *
 * <p>Requests come from the edge on its event loops; work goes down to a capability and its answer
 * comes back to every loop that waits for it. The only package that creates threads. Start with
 * {@link io.headgate.admission.Flights}; {@link io.headgate.admission.Admission} is what all
 * deployments in one Vert.x share.
 */
@NullMarked
package io.headgate.admission;

import org.jspecify.annotations.NullMarked;
