/**
 * Decisions of the binder: functions from views to decisions, without clock, cluster, randomness or
 * log.
 *
 * <p>A binding has two sides and no transaction. The binder writes the volume first (spec.claimRef
 * with the claim's uid, then its phase), then the claim (spec.volumeName with the bind-completed
 * annotation, then its status). The objects show any interruption, and the next sync finishes the
 * binding. A volume whose claimRef has the uid of a claim without a volumeName is such a binding.
 * The claim's sync resumes it, because a reserved volume wins over any other. No decision depends
 * on the memory of this process, except for volumes that it is about to write. The reservations
 * hold these, so that two claims never pick one volume.
 *
 * <p>A volume is released only when its claim is certainly gone: absent from the cache and from the
 * API server, or present with another uid. A decider that needs a live answer returns {@link
 * dev.mooring.live.Step.Ask}, and is called again with the answer.
 *
 * <p>Scenario ids, as in the tables of the tests: U1…U14 claims that are not bound yet, B1…B5
 * claims with the bind-completed annotation, V1…V14 volumes.
 */
@NullMarked
package dev.mooring.binder.decide;

import org.jspecify.annotations.NullMarked;
