/**
 * Decisions of the binder: functions from views to decisions, without clock, cluster, randomness or
 * log.
 *
 * <p>A binding changes two objects without a transaction. The binder makes four writes in this
 * order: spec.claimRef of the volume with the claim's uid; spec.volumeName of the claim with the
 * bind-completed annotation; the volume's phase; the claim's status. The objects show any
 * interruption, and the next sync finishes the binding. For example, a volume's claimRef has the
 * uid of a claim without a volumeName. The claim's sync resumes that binding, because a reserved
 * volume wins over any other. No decision depends on the memory of this process, except for volumes
 * that it is about to write. The reservations contain these, so that two claims never pick one
 * volume.
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
