/**
 * What the binder thinks: functions from views to decisions, without clock, cluster, chance or log.
 *
 * <p>Binding is two-sided and has no transaction. A volume is bound first (spec.claimRef with the
 * claim's uid, then its phase), then the claim (spec.volumeName with the mark that binding is
 * complete, then its status). Whatever stops in between is visible in the objects and finished by
 * whoever looks next: a volume whose claimRef carries the uid of a claim without a volumeName is a
 * binding under way, and the claim's own sync takes it up again, because a volume that is reserved
 * for a claim wins over any other. Nothing is decided from what this process remembers, except
 * which volumes it is about to write: those are held in the reservations, so that two claims never
 * pick one volume.
 *
 * <p>A volume is released only when its claim is gone for certain: absent from the cache and from
 * the server, or there under another uid. The decider answers {@link
 * dev.mooring.binder.decide.VolumeDecision.LookLive} when it needs the server's word, and is asked
 * again with it.
 *
 * <p>Scenario ids, as in the tables of the tests: U1…U14 claims that are not bound yet, B1…B5
 * claims that say they are, V1…V11 volumes.
 */
@NullMarked
package dev.mooring.binder.decide;

import org.jspecify.annotations.NullMarked;
