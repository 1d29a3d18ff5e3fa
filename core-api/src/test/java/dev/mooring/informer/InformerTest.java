package dev.mooring.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.CsiDriver;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contents of a cache and its calls of handlers for all orders of events, lists and own writes. */
class InformerTest extends InformerFixture {
  @Test
  void onChange_presentObjects_areNotDelivered() {
    replaceAll(List.of(driver("a", 1)), 1);
    List<String> received = new ArrayList<>();
    informer.onChange(change -> received.add(change.key().name()));
    assertThat(received).isEmpty();
    informer.applyEvent(driver("b", 2));
    informer.applyEvent(driver("a", "u-a", 3, false));
    assertThat(received).containsExactly("b", "a");
  }

  @Test
  void i1_snapshot_laterChanges_staysUnchanged() {
    replaceAll(List.of(driver("a", 1)), 1);
    CacheSnapshot<CsiDriver> before = informer.snapshot();
    informer.applyEvent(driver("b", 2));
    informer.applyEvent(driver("a", "u-a", 3, false));
    assertThat(before.size()).isEqualTo(1);
    assertThat(before.findByIndex(byAttach, true)).hasSize(1);
    assertThat(informer.snapshot().size()).isEqualTo(2);
    assertThat(informer.snapshot().findByIndex(byAttach, false))
        .extracting(d -> d.meta().name())
        .containsExactly("a");
    assertThat(informer.snapshot().findByIndex(byAttach, true))
        .extracting(d -> d.meta().name())
        .containsExactly("b");
  }

  @Test
  void i2_changes_areDeliveredOnceInOrder() {
    replaceAll(List.of(driver("a", 1)), 1);
    recordChanges();
    informer.applyEvent(driver("a", 2));
    informer.applyEvent(driver("a", 2));
    informer.applyDeletion(driver("a", 3));
    assertThat(received).containsExactly("+a@1", "~a@1>2", "-a@3");
  }

  /** Other implementations update the cache after a re-list without calling handlers. */
  @Test
  void i3_reList_deliversAllDifferences() {
    replaceAll(List.of(driver("a", 1), driver("b", 2)), 2);
    recordChanges();
    received.clear();
    replaceAll(List.of(driver("b", 5), driver("c", 6)), 6);
    assertThat(received).containsExactlyInAnyOrder("?-a@1", "~b@2>5", "+c@6");
  }

  @Test
  void i4_ownWrite_olderEvents_staysVisible() {
    replaceAll(List.of(driver("a", 1)), 1);
    recordChanges();
    received.clear();
    informer.applyOwnWrite(driver("a", 5));
    assertThat(informer.snapshot().get(ObjectKey.cluster("a")))
        .get()
        .extracting(d -> d.meta().resourceVersion())
        .isEqualTo(5L);
    informer.applyEvent(driver("a", 3));
    informer.applyEvent(driver("a", 5));
    assertThat(received).containsExactly("~a@1>5");
  }

  @Test
  void i4_ownCreation_olderList_staysVisible() {
    replaceAll(List.of(), 1);
    long list = informer.startList();
    informer.applyOwnWrite(driver("a", 5));
    informer.replaceAll(List.of(), 4, list);
    assertThat(informer.snapshot().size()).isEqualTo(1);
    replaceAll(List.of(), 6);
    assertThat(informer.snapshot().size()).isZero();
  }

  @Test
  void i4_lateAnswer_objectDeleted_isIgnored() {
    replaceAll(List.of(driver("a", 1)), 1);
    informer.applyDeletion(driver("a", 7));
    informer.applyOwnWrite(driver("a", 6));
    assertThat(informer.snapshot().size()).isZero();
  }

  @Test
  void i5_ownDeletion_lateEvents_staysVisible() {
    replaceAll(List.of(driver("a", 1)), 1);
    long list = informer.startList();
    informer.applyOwnDeletion(ObjectKey.cluster("a"), Uid.of("u-a"));
    assertThat(informer.snapshot().size()).isZero();
    informer.applyEvent(driver("a", 2));
    informer.replaceAll(List.of(driver("a", 2)), 2, list);
    assertThat(informer.snapshot().size()).as("late event of the deleted object").isZero();
    informer.applyEvent(driver("a", "its successor", 4, true));
    assertThat(informer.snapshot().size()).as("new object of the same name").isEqualTo(1);
  }

  @Test
  void i7_bookmark_changesVersionOnly() {
    replaceAll(List.of(driver("a", 1)), 1);
    recordChanges();
    received.clear();
    informer.applyBookmark(9);
    assertThat(informer.watchedVersion()).isEqualTo(9);
    assertThat(received).isEmpty();
  }

  /**
   * A restored server's versions may have passed ours: the list's contents count, not the higher
   * version.
   */
  @Test
  void i8_listWithLowerVersions_replacesContents() {
    replaceAll(List.of(driver("a", 900), driver("b", 400)), 1000);
    replaceAll(List.of(driver("a", 480), driver("b", "another", 400, true)), 1200);
    assertThat(informer.snapshot().get(ObjectKey.cluster("a")))
        .get()
        .extracting(d -> d.meta().resourceVersion())
        .isEqualTo(480L);
    assertThat(informer.snapshot().get(ObjectKey.cluster("b")))
        .get()
        .extracting(d -> d.meta().uid())
        .isEqualTo(Uid.of("another"));
  }

  /**
   * Regression: a volume stayed Pending, because a state with the same version had been Available.
   */
  @Test
  void i8_versionReusedAfterRestore_replacesContents() {
    replaceAll(List.of(driver("a", "u-a", 400, true)), 400);
    replaceAll(List.of(driver("a", "u-a", 400, false)), 400);
    assertThat(informer.snapshot().get(ObjectKey.cluster("a")))
        .get()
        .extracting(CsiDriver::attachRequired)
        .isEqualTo(false);
  }

  @Test
  void i8_ownWritesUndoneByRestore_areReplaced() {
    replaceAll(List.of(driver("a", 1), driver("b", 2)), 2);
    informer.applyOwnWrite(driver("a", 1000));
    informer.applyOwnWrite(driver("new", 1001));
    informer.applyOwnDeletion(ObjectKey.cluster("b"), Uid.of("u-b"));
    replaceAll(List.of(driver("a", 1), driver("b", 2)), 500);
    assertThat(informer.snapshot().get(ObjectKey.cluster("a")))
        .get()
        .extracting(d -> d.meta().resourceVersion())
        .isEqualTo(1L);
    assertThat(informer.snapshot().get(ObjectKey.cluster("b"))).isPresent();
    assertThat(informer.snapshot().get(ObjectKey.cluster("new"))).isEmpty();
  }
}
