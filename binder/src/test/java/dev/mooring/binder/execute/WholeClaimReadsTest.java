package dev.mooring.binder.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.Marks;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteAndRead;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSource;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.reconcile.Compat;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.Plugins;
import dev.mooring.testkit.Builders;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.Patience;
import dev.mooring.testkit.SimTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the whole claim is read for the plugin, and when the answer to its mark is enough. */
@Timeout(300)
class WholeClaimReadsTest {
  private static final ObjectKey KEY = ObjectKey.of("ns", "c");
  private static final String READ = "get PersistentVolumeClaim ns/c";
  private static final StorageClass FAST =
      Builders.storageClass(ObjectKey.cluster("fast")).provisioner("disks").build();

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final KeyedOperations<ObjectKey> operations =
      new KeyedOperations<>("provision", time, Compat.MOORING, key -> {});
  private final List<Provisioner.Request> asked = new CopyOnWriteArrayList<>();
  private final BinderStats stats = new BinderStats(time);
  private final BinderReporter reporter =
      new BinderReporter(event -> {}, time, EventStyle.EXPLAINING, false);

  /** A plugin that notes what it is asked for, and refuses it. */
  private final class Disks implements VolumePlugin {
    @Override
    public String name() {
      return "disks";
    }

    @Override
    public boolean supports(VolumeSource source) {
      return false;
    }

    @Override
    public Optional<Provisioner> provisioner() {
      return Optional.of(request -> {
        asked.add(request);
        return new Attempt.Failed<>(new Failure.Rejected("no"));
      });
    }
  }

  private final Plugins plugins =
      new Plugins() {
        @Override
        public Optional<VolumePlugin> named(String name) {
          return Optional.of(new Disks());
        }

        @Override
        public List<VolumePlugin> supporting(VolumeSource source) {
          return List.of();
        }
      };

  /**
   * Writes claims alone, and answers with what caches keep of them.
   *
   * @param tells whether it says what a live read would
   */
  private record Trimming(FaultyCluster server, boolean tells) implements ClusterWriter {
    private static <T extends Resource> WriteResult<T> trimmed(
        Kind<T> kind, WriteResult<T> result) {
      return result instanceof WriteResult.Written<T>(T now)
          ? new WriteResult.Written<>(kind.type().cast(withoutLabels((Claim) now)))
          : result;
    }

    @Override
    public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch) {
      return trimmed(kind, server.patch(kind, key, patch));
    }

    @Override
    public <T extends Resource> WriteAndRead<T> patchAndRead(
        Kind<T> kind, ObjectKey key, Document patch) throws InterruptedException {
      if (!tells) {
        return ClusterWriter.super.patchAndRead(kind, key, patch);
      }
      WriteAndRead<T> answer = server.patchAndRead(kind, key, patch);
      return new WriteAndRead<>(trimmed(kind, answer.result()), answer.read());
    }

    @Override
    public <T extends Resource> WriteResult<T> patchStatus(
        Kind<T> kind, ObjectKey key, Document patch) {
      throw new AssertionError("a status: " + patch.members());
    }

    @Override
    public <T extends Resource> WriteResult<T> create(
        Kind<T> kind, ObjectKey key, Document object) {
      throw new AssertionError("made: " + key);
    }

    @Override
    public <T extends Resource> WriteResult<T> delete(
        Kind<T> kind, ObjectKey key, Uid uid, long version) {
      throw new AssertionError("deleted: " + key);
    }
  }

  /** The claim as a cache has it. */
  private Claim claim(Map<String, String> annotations) {
    Claim whole =
        Builders.claim(KEY)
            .uid("u")
            .labels(Map.of("team", "a"))
            .annotations(annotations)
            .storageClass("fast")
            .build();
    return withoutLabels(server.cluster().put(Kind.CLAIM, whole));
  }

  private static Claim withoutLabels(Claim claim) {
    return Builders.like(claim).labels(Map.of()).build();
  }

  private void provision(Claim claim, boolean tells) throws InterruptedException {
    ClusterWriter writer = new Trimming(server, tells);
    ClusterPorts ports =
        new ClusterPorts(
            writer, server, event -> {}, (pod, uid) -> new ReadResult.Found<>(List.of()), time);
    new ClaimExecutor(
            writer,
            reporter,
            new Provisioning(ports, plugins, reporter, operations, stats),
            new ClaimExecutor.Known(c -> "", uid -> false),
            stats)
        .execute(claim, new ClaimDecision.Provision(FAST, "disks"));
    Patience.until("it is over", () -> operations.running() == 0);
  }

  private List<String> requests() {
    return server.requests().stream().map(Object::toString).toList();
  }

  private void assertAskedWithAllLabels() {
    assertThat(asked)
        .singleElement()
        .satisfies(request -> assertThat(request.claim().labels()).containsEntry("team", "a"));
  }

  @Test
  void aClaimThatIsMarkedIsNotReadAgain() throws InterruptedException {
    provision(claim(Map.of()), true);
    assertAskedWithAllLabels();
    assertThat(requests())
        .containsExactly("patch PersistentVolumeClaim ns/c", "get PersistentVolume pvc-u");
  }

  @Test
  void oneThatWasMarkedBeforeIsRead() throws InterruptedException {
    provision(claim(Map.of(Marks.STORAGE_PROVISIONER, "disks")), true);
    assertAskedWithAllLabels();
    assertThat(requests()).containsExactly("get PersistentVolume pvc-u", READ);
  }

  @Test
  void soIsOneOfWhichTheAnswerToItsMarkDoesNotTell() throws InterruptedException {
    provision(claim(Map.of()), false);
    assertAskedWithAllLabels();
    assertThat(requests()).contains(READ);
  }

  @Test
  void whatWasRefusedIsTheSameWhereverItsLabelsCameFrom() throws InterruptedException {
    provision(claim(Map.of()), true);
    provision(withoutLabels(server.cluster().get(Kind.CLAIM, KEY)), true);
    assertThat(asked).hasSize(1);
  }
}
