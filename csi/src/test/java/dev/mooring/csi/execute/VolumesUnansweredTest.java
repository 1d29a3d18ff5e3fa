package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.state.OrphanMemory;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.storage.AttachmentIndex;
import dev.mooring.storage.NodeStorage.Fit;
import dev.mooring.storage.NodeStorage.Location;
import dev.mooring.storage.VolumeService.DestroyPlan;
import dev.mooring.storage.VolumeService.DestroyResult;
import dev.mooring.storage.VolumeService.Plan;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An unanswered API read neither creates nor deletes a volume, and is no refusal. */
class VolumesUnansweredTest extends VolumesFixture {
  private static final String DELETION = "volume.kubernetes.io/provisioner-deletion-secret-";

  /** From now on the API server does not answer for the kind. */
  private void unanswered(String plural) {
    server.onRead(request ->
        request.kind().plural().equals(plural) ? new ReadResult.Failed<>("no answer") : null);
  }

  @ParameterizedTest(name = "{0}, no answer for {1}")
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
  void plan_unansweredRead_isUnknown(String filling, String unanswered)
      throws InterruptedException {
    unanswered(unanswered);
    assertThat(volumes.plan(order(filling)))
        .isInstanceOfSatisfying(
            Plan.Unknown.class, it -> assertThat(it.reason()).contains("\"fast\"", "no answer"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"empty", "snapshot", "clone"})
  void plan_allAnswered_callsDriver(String filling) throws InterruptedException {
    assertThat(volumes.plan(order(filling))).isInstanceOf(Plan.Ready.class);
  }

  /** Whether a claim has a source never changes. */
  @Test
  void plan_claimWithoutSource_readsNoClaim() throws InterruptedException {
    unanswered("persistentvolumeclaims");
    assertThat(volumes.plan(order("empty"))).isInstanceOf(Plan.Ready.class);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"empty, vault, keys", "snapshot, '', content", "clone, '', v"})
  void plan_missingObject_isRefused(String filling, String namespace, String missingObject)
      throws InterruptedException {
    for (Kind<?> kind : List.of(Kind.SECRET, Kind.SNAPSHOT_CONTENT, Kind.VOLUME)) {
      cluster.remove(kind, new ObjectKey(namespace, missingObject));
    }
    assertThat(volumes.plan(order(filling))).isInstanceOf(Plan.Blocked.class);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"snapshot", "clone"})
  void plan_sourceUnprotected_isRepeated(String filling) throws InterruptedException {
    snapshot();
    cluster.put(Kind.CLAIM, claim("source", ""));
    server.nextWrites(new WriteResult.Unreachable<>("away"), new WriteResult.Conflict<>("changed"));
    assertThat(volumes.plan(order(filling))).isInstanceOf(Plan.Unknown.class);
    assertThat(volumes.plan(order(filling))).as("a conflict").isInstanceOf(Plan.Conflicted.class);
    assertThat(server.writes()).hasSize(2);
    assertThat(volumes.plan(order(filling))).as("it is protected").isInstanceOf(Plan.Ready.class);
    server.clearRequests();
  }

  /** A driver without its Secret may not find the volume and report it as deleted. */
  @Test
  void delete_secretUnanswered_isUnknown() throws InterruptedException {
    Volume protectedBySecret =
        volume(
            Map.of(DELETION + "name", SECRET.name(), DELETION + "namespace", SECRET.namespace()));
    unanswered("secrets");
    assertThat(destroy(protectedBySecret)).isInstanceOf(DestroyResult.Unknown.class);
    assertThat(driver.deletions).hasValue(0);
    server.onRead(request -> null);
    cluster.remove(Kind.SECRET, SECRET);
    assertThat(destroy(protectedBySecret))
        .as("the Secret is gone")
        .isInstanceOf(DestroyResult.Destroyed.class);
    server.forbid(Kind.SECRET);
    assertThat(destroy(protectedBySecret))
        .as("the right to read Secrets vanished with the namespace")
        .isInstanceOf(DestroyResult.Destroyed.class);
    assertThat(driver.deletions).hasValue(2);
  }

  private DestroyPlan planOfClass(Map<String, String> parameters, Map<String, String> annotations)
      throws InterruptedException {
    Informer<StorageClass> classes = new Informer<>(Kind.STORAGE_CLASS, List.of());
    classes.applyOwnWrite(
        TestObjects.storageClass("fast").provisioner(DRIVER).parameters(parameters).build());
    return new VolumeDeleter(
            session,
            server,
            classes,
            new Informer<>(Kind.ATTACHMENT, List.of(AttachmentIndex.BY_VOLUME)),
            Optional.empty(),
            new OrphanMemory(false))
        .prepare(volume(annotations));
  }

  private static Map<String, String> secretParameters(String name) {
    return Map.of(
        "csi.storage.k8s.io/provisioner-secret-name",
        name,
        "csi.storage.k8s.io/provisioner-secret-namespace",
        SECRET.namespace());
  }

  /** A driver without its Secret may not find the volume and report it as deleted. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"${pvc.annotations['team']}", "${pvc.uid}", ""})
  void delete_secretOfClassUnresolvable_isRefused(String name) throws InterruptedException {
    assertThat(planOfClass(secretParameters(name), Map.of()))
        .isInstanceOfSatisfying(
            DestroyPlan.Blocked.class,
            it ->
                assertThat(it.reason())
                    .isInstanceOfSatisfying(
                        DestroyResult.Failed.class,
                        failure ->
                            assertThat(failure.message()).contains("StorageClass \"fast\"")));
    Map<String, String> noSecret = Map.of(DELETION + "name", "", DELETION + "namespace", "");
    assertThat(planOfClass(secretParameters(name), noSecret))
        .as("the volume needs no Secret")
        .isInstanceOf(DestroyPlan.Ready.class);
  }

  @Test
  void delete_halfOfTheSecretAnnotated_readsSecretOfClass() throws InterruptedException {
    unanswered("secrets");
    assertThat(planOfClass(secretParameters(SECRET.name()), Map.of(DELETION + "name", "")))
        .isInstanceOf(DestroyPlan.Blocked.class);
  }

  @Test
  void fit_secretUnanswered_isUnanswered() throws InterruptedException {
    LocalNodeStorage node = new LocalNodeStorage(session, "n1", driverNodes, server, volumes);
    unanswered("secrets");
    assertThat(node.checkFit(order("empty"))).isEqualTo(Fit.UNANSWERED);
    server.onRead(request -> null);
    cluster.remove(Kind.SECRET, SECRET);
    assertThat(node.checkFit(order("empty"))).isEqualTo(Fit.UNKNOWN);
  }

  @Test
  void where_volumeUnanswered_isUnanswered() throws InterruptedException {
    LocalNodeStorage node = new LocalNodeStorage(session, "n1", driverNodes, server, volumes);
    unanswered("persistentvolumes");
    assertThat(node.locate(claim("c", ""), volume(Map.of()))).isEqualTo(Location.UNANSWERED);
    server.onRead(request -> null);
    assertThat(node.locate(claim("c", ""), volume(Map.of()))).isEqualTo(Location.HERE);
  }
}
