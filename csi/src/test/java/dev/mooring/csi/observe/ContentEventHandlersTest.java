package dev.mooring.csi.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.state.ContentMemory;
import dev.mooring.csi.state.ContentTwins;
import dev.mooring.informer.Change;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.workqueue.WorkQueue;
import org.junit.jupiter.api.Test;

class ContentEventHandlersTest {
  private static final SnapshotContent CONTENT =
      TestObjects.snapshotContent("c")
          .driver("d")
          .label(SnapshotContent.MANAGED_BY, "n1")
          .annotation(SnapshotContent.SECRET_NAME, "old")
          .build();

  private final SharedInformers informers = new SharedInformers();
  private final ContentTwins twins = new ContentTwins(informers, false);
  private final ContentMemory memory = new ContentMemory();
  private final WorkQueue<ObjectKey> queue = new WorkQueue<>("q", new SimTime());
  private final ContentEventHandlers<SnapshotContent> handlers =
      new ContentEventHandlers<>("d", informers.of(Kind.SNAPSHOT_CONTENT), twins, memory, queue);

  private boolean isRequeuedAfter(SnapshotContent old, SnapshotContent current) {
    handlers.contentChanged(new Change.Updated<>(old, current));
    return queue.depth() > 0;
  }

  /** The instance of the other node serves the content from now on. */
  @Test
  void contentChanged_labelNamesOtherNode_isRequeued() {
    SnapshotContent moved =
        TestObjects.like(CONTENT).label(SnapshotContent.MANAGED_BY, "n2").build();
    assertThat(isRequeuedAfter(CONTENT, moved)).isTrue();
  }

  @Test
  void contentChanged_annotationNamesOtherSecret_isRequeued() {
    SnapshotContent corrected =
        TestObjects.like(CONTENT).annotation(SnapshotContent.SECRET_NAME, "new").build();
    assertThat(isRequeuedAfter(CONTENT, corrected)).isTrue();
  }

  @Test
  void contentChanged_markedForDeletion_isRequeued() {
    SnapshotContent marked =
        TestObjects.like(CONTENT).annotation(SnapshotContent.BEING_DELETED, "yes").build();
    assertThat(isRequeuedAfter(CONTENT, marked)).isTrue();
  }

  /** The watch missed the deletion: no later event names the former uid. */
  @Test
  void contentChanged_replaced_forgetsFormerContent() {
    memory.recordHeldDeletion(CONTENT.meta().uid());
    SnapshotContent later = TestObjects.like(CONTENT).uid("later").build();
    assertThat(isRequeuedAfter(CONTENT, later)).isTrue();
    assertThat(memory.recordHeldDeletion(CONTENT.meta().uid())).as("forgotten").isTrue();
  }

  /** The controller's own writes must not end the back-off that they started. */
  @Test
  void contentChanged_onlyByOwnWrites_isNotRequeued() {
    SnapshotContent marked =
        TestObjects.like(CONTENT).annotation(SnapshotContent.BEING_DELETED, "yes").build();
    SnapshotContent written =
        TestObjects.like(marked)
            .version(2)
            .annotation(SnapshotContent.BEING_DELETED, "driver called at 1")
            .annotation(SnapshotContent.BEING_CREATED, "yes")
            .status(new SnapshotContent.Status("", 0, 0, false, new Problem(1, "no"), ""))
            .build();
    assertThat(isRequeuedAfter(marked, written)).isFalse();
  }
}
