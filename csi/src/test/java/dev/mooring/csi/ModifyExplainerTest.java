package dev.mooring.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Rank;
import dev.mooring.explain.Sight;
import dev.mooring.informer.Informer;
import dev.mooring.model.AccessModes;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.operation.Plugins;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is said of a claim that is to be changed, where a server does not have such classes. */
class ModifyExplainerTest {
  private static final ObjectKey CLAIM = ObjectKey.of("ns", "c");

  /** A cluster with one claim and its volume. */
  private static final class OneClaim implements Sight, LiveReader {
    private final boolean hasClasses;

    OneClaim(boolean hasClasses) {
      this.hasClasses = hasClasses;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends Resource> Informer<T> informer(Kind<T> kind) {
      List<? extends Resource> all =
          kind.equals(Kind.CLAIM)
              ? List.of(claim())
              : kind.equals(Kind.VOLUME) ? List.of(volume()) : List.of();
      return Informer.of(kind, List.of(), (List<T>) all);
    }

    @Override
    public Optional<String> unseen(Kind<?> kind) {
      return Optional.empty();
    }

    @Override
    public LiveReader reader() {
      return this;
    }

    @Override
    public Plugins plugins() {
      return Plugins.NONE;
    }

    @Override
    public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
      return new ReadResult.Absent<>();
    }

    @Override
    public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
      return new ReadResult.Absent<>();
    }

    @Override
    public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace) {
      return hasClasses && kind.type().equals(AttributesClass.class)
          ? new ReadResult.Found<>(List.of())
          : new ReadResult.Failed<>("the server does not have " + kind.plural());
    }
  }

  private static Meta meta(ObjectKey key) {
    return new Meta(key, Uid.of("u-" + key.name()), 1, 1, 0, Map.of(), Map.of(), List.of());
  }

  private static Claim claim() {
    return new Claim(
        meta(CLAIM),
        AccessModes.of("ReadWriteOnce"),
        Quantity.of("1Gi"),
        "",
        "v",
        VolumeMode.FILESYSTEM,
        null,
        "gold",
        false,
        new Claim.Status(ClaimPhase.BOUND, List.of(), Map.of(), ""));
  }

  private static Volume volume() {
    return new Volume(
        meta(ObjectKey.cluster("v")),
        Map.of(),
        VolumeSource.csi("d", "h"),
        AccessModes.of("ReadWriteOnce"),
        new ClaimRef(CLAIM, Uid.of("u-c")),
        ReclaimPolicy.DELETE,
        "",
        VolumeMode.FILESYSTEM,
        "",
        new Volume.Status(VolumePhase.BOUND, "", ""));
  }

  @Test
  void aClassThatIsNotThereIsMissing() throws InterruptedException {
    assertThat(explained(true).cause().code()).isEqualTo("ModifyClassMissing");
  }

  @Test
  void whereThereAreNoSuchClassesNothingIsGuessed() throws InterruptedException {
    Explanation said = explained(false);
    assertThat(said.cause().rank()).isEqualTo(Rank.UNKNOWN);
    assertThat(said.unseen().getFirst().why()).contains("does not have volumeattributesclasses");
  }

  private static Explanation explained(boolean hasClasses) throws InterruptedException {
    return new ModifyExplainer(new OneClaim(hasClasses)).explain(CLAIM, Detail.EVIDENCE).getFirst();
  }
}
