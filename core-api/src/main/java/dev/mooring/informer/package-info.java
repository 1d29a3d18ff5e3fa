/**
 * What the controllers know of the cluster: per kind one immutable {@link
 * dev.mooring.informer.Snapshot} with indexes, kept up to date by a {@link
 * dev.mooring.informer.Reflector}.
 *
 * <p>Guarantees of {@link dev.mooring.informer.Informer} and its reflector, each with a test of
 * that name:
 *
 * <ul>
 *   <li><b>I1</b> a snapshot never changes; whoever holds one sees one moment;
 *   <li><b>I2</b> a handler is told of one key's changes in order, each exactly once, and the
 *       snapshot already shows them; what is there when it joins it is told as additions;
 *   <li><b>I3</b> a re-list delivers what changed or came as such, and a deletion for what
 *       vanished: no lost events, no ghosts;
 *   <li><b>I4</b> the answer of an own write is visible at once and wins until the watch has caught
 *       up; an older event never undoes it;
 *   <li><b>I5</b> an own deletion is visible at once; no late event of that object brings it back;
 *   <li><b>I6</b> expired versions, versions from the future, throttling, broken and silent
 *       connections heal by themselves, with growing and jittered pauses, also when the server ends
 *       every watch at once;
 *   <li><b>I7</b> a bookmark moves the version and nothing else;
 *   <li><b>I8</b> only a complete list replaces what is known; whatever else happens, an error in a
 *       stream or versions that go back, nothing is told that the server has not said;
 *   <li><b>I9</b> on request everything is known that the server had by then, before anybody is let
 *       through;
 *   <li><b>I10</b> a handler that throws costs the other handlers nothing; it gets what it missed
 *       again, each round, until it takes it.
 * </ul>
 *
 * <p>The snapshot is a persistent hash trie: an update copies a few small arrays and leaves old
 * snapshots alone, so there is no lock for readers, and 150,000 pods cost little more than their
 * records. Deletion and recreation under one name within a gap is one {@code Updated} whose uids
 * differ. May depend on {@code model}, {@code thread} and {@code time}.
 */
@NullMarked
package dev.mooring.informer;

import org.jspecify.annotations.NullMarked;
