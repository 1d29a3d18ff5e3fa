package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.storage.NodeStorage.Fit;
import dev.mooring.storage.NodeStorage.Where;
import dev.mooring.storage.VolumeService.Destroying;
import dev.mooring.storage.VolumeService.Plan;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nothing is made or destroyed by what the API server did not say, nor is that a no. */
@Timeout(300)
class VolumesUnansweredTest extends VolumesFixture {
  private static final String DELETION = "volume.kubernetes.io/provisioner-deletion-secret-";

  /** From now on nothing is said of that kind. */
  private void silent(String plural) {
    server.onRead(asked ->
        asked.kind().plural().equals(plural) ? new ReadResult.Failed<>("no answer") : null);
  }

  @ParameterizedTest(name = "{0}, nothing said of {1}")
  @CsvSource({
    "snapshot, persistentvolumeclaims",
    "empty, secrets",
    "empty, volumeattributesclasses",
    "snapshot, volumesnapshots",
    "snapshot, volumesnapshotcontents",
    "clone, persistentvolumeclaims",
    "clone, persistentvolumes",
    "elsewhere, referencegrants",
  })
  void whetherTheDriverCanBeAskedIsNotKnown(String filling, String silent)
      throws InterruptedException {
    silent(silent);
    assertThat(volumes.plan(order(filling)))
        .isInstanceOfSatisfying(
            Plan.Unknown.class, it -> assertThat(it.why()).contains("\"fast\"", "no answer"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"empty", "snapshot", "clone"})
  void itIsAskedWhenAllIsSaid(String filling) throws InterruptedException {
    assertThat(volumes.plan(order(filling))).isInstanceOf(Plan.Ask.class);
  }

  /** Whether a claim has a source never changes. */
  @Test
  void aClaimThatIsFilledWithNothingIsNotReadForThat() throws InterruptedException {
    silent("persistentvolumeclaims");
    assertThat(volumes.plan(order("empty"))).isInstanceOf(Plan.Ask.class);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"empty, vault, keys", "snapshot, '', content", "clone, '', v"})
  void whatIsNotThereIsAnAnswer(String filling, String namespace, String missing)
      throws InterruptedException {
    for (Kind<?> kind : List.of(Kind.SECRET, Kind.SNAPSHOT_CONTENT, Kind.VOLUME)) {
      cluster.remove(kind, new ObjectKey(namespace, missing));
    }
    assertThat(volumes.plan(order(filling))).isInstanceOf(Plan.Not.class);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"snapshot", "clone"})
  void aSourceThatCouldNotBeHeldAtOnceIsHeldSoon(String filling) throws InterruptedException {
    snapshot();
    cluster.put(Kind.CLAIM, claim("source", ""));
    server.nextWrites(new WriteResult.Unreachable<>("away"), new WriteResult.Conflict<>("changed"));
    assertThat(volumes.plan(order(filling))).isInstanceOf(Plan.Unknown.class);
    assertThat(volumes.plan(order(filling)))
        .as("somebody was first")
        .isInstanceOf(Plan.Unknown.class);
    assertThat(server.writes()).hasSize(2);
    assertThat(volumes.plan(order(filling))).as("it is held").isInstanceOf(Plan.Ask.class);
    server.forget();
  }

  /** A driver that misses its credentials may find no volume, and call that destroyed. */
  @Test
  void nothingIsDestroyedWithoutCredentialsThatWereNotSaid() throws InterruptedException {
    Volume protectedBySecret =
        volume(
            Map.of(DELETION + "name", SECRET.name(), DELETION + "namespace", SECRET.namespace()));
    silent("secrets");
    assertThat(destroyed(protectedBySecret)).isInstanceOf(Destroying.Unknown.class);
    assertThat(driver.deletions).hasValue(0);
    server.onRead(asked -> null);
    cluster.remove(Kind.SECRET, SECRET);
    assertThat(destroyed(protectedBySecret))
        .as("they are gone")
        .isInstanceOf(Destroying.Destroyed.class);
    server.forbid(Kind.SECRET);
    assertThat(destroyed(protectedBySecret))
        .as("with their namespace the right to read them is gone")
        .isInstanceOf(Destroying.Destroyed.class);
    assertThat(driver.deletions).hasValue(2);
  }

  @Test
  void aNodeStandsForNothingThatIsNotSaid() throws InterruptedException {
    OnNode node = new OnNode(session, "n1", driverNodes, server, volumes);
    silent("secrets");
    assertThat(node.fit(order("empty"))).isEqualTo(Fit.UNANSWERED);
    server.onRead(asked -> null);
    cluster.remove(Kind.SECRET, SECRET);
    assertThat(node.fit(order("empty"))).isEqualTo(Fit.UNKNOWN);
  }

  @Test
  void whoseAVolumeIsIsNotKnownBeforeItIsSaid() throws InterruptedException {
    OnNode node = new OnNode(session, "n1", driverNodes, server, volumes);
    silent("persistentvolumes");
    assertThat(node.where(claim("c", ""), volume(Map.of()))).isEqualTo(Where.UNANSWERED);
    server.onRead(asked -> null);
    assertThat(node.where(claim("c", ""), volume(Map.of()))).isEqualTo(Where.HERE);
  }
}
