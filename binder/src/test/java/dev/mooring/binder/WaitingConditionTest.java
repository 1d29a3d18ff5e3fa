package dev.mooring.binder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.Given;
import dev.mooring.binder.decide.Policy;
import dev.mooring.binder.decide.WaitingCondition;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.Stepwise;
import dev.mooring.storage.Plugins;
import dev.mooring.testkit.Builders;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Claims say for what they wait: once for each reason, and nothing more than that. */
class WaitingConditionTest {
  private static final Condition FOREIGN =
      new Condition("example.com/Backup", "True", "Done", "kept", 0, 7);

  private final SimTime time = new SimTime();
  private final Server server = new Server();
  private final List<ClusterEvent> events = new ArrayList<>();
  private final SharedInformers informers = new SharedInformers();
  private final Informer<Claim> claims = informers.of(Kind.CLAIM);

  /** Takes what is written into the status of claims, each against the newest version only. */
  private final class Server implements ClusterWriter {
    private final List<Document> writes = new ArrayList<>();
    private boolean refuses;

    @Override
    public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch) {
      throw new AssertionError("nothing else is to be written: " + patch);
    }

    @Override
    public <T extends Resource> WriteResult<T> patchStatus(
        Kind<T> kind, ObjectKey key, Document patch) {
      Claim before = claims.snapshot().get(key).orElseThrow();
      writes.add(patch);
      if (refuses) {
        return new WriteResult.Rejected<>(403, "no");
      }
      Map<?, ?> meta = (Map<?, ?>) Objects.requireNonNull(patch.members().get("metadata"));
      assertThat(meta.get("resourceVersion"))
          .isEqualTo(Long.toString(before.meta().resourceVersion()));
      Claim now =
          with(
              before,
              conditions((Map<?, ?>) Objects.requireNonNull(patch.members().get("status"))));
      claims.wrote(now);
      return new WriteResult.Written<>(kind.type().cast(now));
    }

    @Override
    public <T extends Resource> WriteResult<T> create(
        Kind<T> kind, ObjectKey key, Document object) {
      throw new AssertionError("nothing is to be made: " + object);
    }

    @Override
    public <T extends Resource> WriteResult<T> delete(
        Kind<T> kind, ObjectKey key, Uid uid, long version) {
      throw new AssertionError("nothing is to be deleted: " + key);
    }
  }

  private static List<Condition> conditions(Map<?, ?> status) {
    List<Condition> conditions = new ArrayList<>();
    if (status.get("conditions") instanceof List<?> list) {
      for (Object one : list) {
        Map<?, ?> c = (Map<?, ?>) one;
        conditions.add(
            new Condition(
                (String) c.get("type"),
                (String) c.get("status"),
                (String) c.get("reason"),
                (String) c.get("message"),
                0,
                Instant.parse((String) c.get("lastTransitionTime")).getEpochSecond()));
      }
    }
    return conditions;
  }

  private static Claim with(Claim claim, List<Condition> conditions) {
    Meta meta = claim.meta();
    Meta newer =
        Builders.metaOf(meta.key())
            .uid(meta.uid())
            .version(meta.resourceVersion() + 1)
            .created(meta.created())
            .deleted(meta.deleted())
            .labels(meta.labels())
            .annotations(meta.annotations())
            .finalizers(meta.finalizers())
            .meta();
    return of(newer, claim, claim.volumeName(), claim.phase(), conditions);
  }

  private static Claim of(
      Meta meta, Claim like, String volume, ClaimPhase phase, List<Condition> conditions) {
    return Builders.claim(meta)
        .accessModes(like.accessModes())
        .request(like.request())
        .storageClass(like.storageClass())
        .volumeName(volume)
        .volumeMode(like.volumeMode())
        .selector(like.selector())
        .attributesClass(like.attributesClass())
        .hasDataSource(like.hasDataSource())
        .status(
            new Claim.Status(
                phase,
                List.of(),
                Map.of(),
                "",
                Claim.Modification.NONE,
                Claim.Resize.NONE,
                conditions))
        .build();
  }

  private static Claim claim(int number, String volume, Condition... conditions) {
    Claim like = Given.claim("1Gi");
    Meta meta =
        Builders.metaOf(ObjectKey.of("ns" + number % 7, "c" + number))
            .uid("u" + number)
            .created(1)
            .meta();
    return of(meta, like, volume, ClaimPhase.PENDING, List.of(conditions));
  }

  private Stepwise controller(Compat compat) throws InterruptedException {
    BinderConfig usual = BinderConfig.DEFAULTS;
    Stepwise steps =
        new Stepwise(
            new BinderController(
                    new BinderConfig(
                        usual.resync(),
                        usual.workers(),
                        new Policy(compat, true),
                        usual.recycle(),
                        usual.breaker(),
                        true),
                    informers,
                    new ClusterPorts(
                        server,
                        new LiveServer(),
                        events::add,
                        (pod, uid) -> new ReadResult.Found<>(List.of()),
                        time),
                    Plugins.NONE)
                .spec(),
            time);
    steps.begin();
    settle(steps);
    return steps;
  }

  private static void settle(Stepwise steps) throws InterruptedException {
    while (steps.stepEach()) {
      // to its end
    }
  }

  private void passes(Stepwise steps, Duration during) throws InterruptedException {
    Duration step = Duration.ofSeconds(5);
    for (Duration at = Duration.ZERO; at.compareTo(during) < 0; at = at.plus(step)) {
      time.advance(step);
      settle(steps);
    }
  }

  private Condition saidBy(int number) {
    Claim claim =
        claims.snapshot().get(ObjectKey.of("ns" + number % 7, "c" + number)).orElseThrow();
    return claim.status().conditions().stream()
        .filter(c -> c.type().equals(WaitingCondition.TYPE))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aThousandThatWaitAreWrittenOnceAndNotOnceMoreInTenMinutes() throws InterruptedException {
    for (int i = 0; i < 1000; i++) {
      claims.wrote(claim(i, ""));
    }
    Stepwise steps = controller(Compat.MOORING);
    assertThat(server.writes).hasSize(1000);
    assertThat(saidBy(17).reason()).isEqualTo("NoVolume");
    assertThat(saidBy(17).message())
        .isEqualTo(events.stream().map(ClusterEvent::note).findFirst().orElseThrow());
    int told = events.size();
    passes(steps, Duration.ofMinutes(10));
    assertThat(server.writes).as("ten quiet minutes").hasSize(1000);
    assertThat(events).as("each is a write too").hasSize(told);
  }

  @Test
  void anotherReasonIsOneMoreWriteAndOthersConditionsStay() throws InterruptedException {
    claims.wrote(claim(1, "", FOREIGN));
    Stepwise steps = controller(Compat.MOORING);
    long since = saidBy(1).changed();
    time.advance(Duration.ofMinutes(1));
    Claim now = claims.snapshot().all().iterator().next();
    claims.wrote(
        of(
            with(now, List.of()).meta(),
            now,
            "gone",
            ClaimPhase.PENDING,
            now.status().conditions()));
    settle(steps);
    assertThat(server.writes).hasSize(2);
    assertThat(saidBy(1).reason()).isEqualTo("VolumeMissing");
    assertThat(saidBy(1).changed()).as("it has waited all the time").isEqualTo(since);
    assertThat(claims.snapshot().all().iterator().next().status().conditions())
        .contains(FOREIGN)
        .hasSize(2);
  }

  @Test
  void whoStartsAgainWritesNothing() throws InterruptedException {
    for (int i = 0; i < 20; i++) {
      claims.wrote(claim(i, ""));
    }
    controller(Compat.MOORING).close();
    server.writes.clear();
    passes(controller(Compat.MOORING), Duration.ofMinutes(1));
    assertThat(server.writes).isEmpty();
  }

  @Test
  void whoRefusesItIsAskedOnceAndNothingElseDependsOnIt() throws InterruptedException {
    server.refuses = true;
    claims.wrote(claim(1, ""));
    passes(controller(Compat.MOORING), Duration.ofMinutes(10));
    assertThat(server.writes).hasSize(1);
  }

  @Test
  void likeKubernetesNothingIsWritten() throws InterruptedException {
    claims.wrote(claim(1, ""));
    passes(controller(Compat.KUBERNETES), Duration.ofMinutes(1));
    assertThat(events).isNotEmpty();
    assertThat(server.writes).isEmpty();
  }
}
