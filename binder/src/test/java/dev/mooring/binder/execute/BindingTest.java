package dev.mooring.binder.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.Given;
import dev.mooring.binder.decide.Marks;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.VolumeService;
import dev.mooring.testkit.SimTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The claim's write says too that its volume is not being made any more, if it is that volume. */
class BindingTest {
  private static final Claim CLAIM =
      Given.claim("1Gi", c -> c.finalizers("before", VolumeService.BEING_MADE, "after"));

  private final List<String> patches = new ArrayList<>();

  /** One that takes everything and changes nothing. */
  private final SameAnswer taking =
      new SameAnswer() {
        @Override
        <T extends Resource> WriteResult<T> answer(ObjectKey key) {
          throw new AssertionError("only patches are expected");
        }

        @Override
        @SuppressWarnings("unchecked") // only a claim is written to
        public <T extends Resource> WriteResult<T> patch(
            Kind<T> kind, ObjectKey key, Document patch) {
          assertThat(kind).isEqualTo(Kind.CLAIM);
          patches.add(patch.toString());
          return new WriteResult.Written<>((T) CLAIM);
        }

        @Override
        public <T extends Resource> WriteResult<T> patchStatus(
            Kind<T> kind, ObjectKey key, Document patch) {
          return patch(kind, key, patch);
        }
      };

  private static Volume volume(String name, boolean provisioned) {
    return Given.volume(
        name,
        "1Gi",
        v -> {
          v.ref("c", "u").phase(VolumePhase.BOUND);
          return provisioned ? v.mark(Marks.PROVISIONED_BY, "d") : v;
        });
  }

  @ParameterizedTest
  @CsvSource({
    "pvc-u, true, true, true",
    "pvc-u, true, false, false", // another process made it, and this one may be asking still
    "pvc-u, false, true, false",
    "pvc-other, true, true, false"
  })
  void onlyTheVolumeThatWasMadeForItEndsTheMaking(
      String name, boolean provisioned, boolean saved, boolean ends) throws InterruptedException {
    Binding binding =
        new Binding(
            taking,
            new BinderReporter(event -> {}, new SimTime(), EventStyle.AS_KUBERNETES, false),
            claim -> saved);
    assertThat(binding.write(CLAIM, volume(name, provisioned))).isEqualTo(Outcome.SETTLED);
    assertThat(patches).hasSize(2);
    assertThat(patches.getFirst().contains("finalizers=[before, after]")).isEqualTo(ends);
    assertThat(patches.getFirst().contains("finalizers")).isEqualTo(ends);
  }
}
