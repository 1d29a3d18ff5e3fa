package dev.mooring.spi;

import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.ExpanderContract;
import java.util.Map;
import java.util.Optional;

/** Runs the contract against a minimal expander. */
class ExpanderContractTest implements ExpanderContract {
  @Override
  public VolumePlugin plugin() {
    return new VolumePlugin() {
      @Override
      public String name() {
        return "example.com/memory";
      }

      @Override
      public boolean supports(VolumeSource source) {
        return source.type().equals("memory");
      }

      @Override
      public Optional<Expander> expander() {
        return Optional.of(
            request -> Attempt.done(new Expander.Expanded(request.requestedSize(), false)));
      }
    };
  }

  @Override
  public VolumeSource expandable() {
    return new VolumeSource("memory", Map.of());
  }
}
