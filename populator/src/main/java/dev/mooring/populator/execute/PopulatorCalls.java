package dev.mooring.populator.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Claim;
import dev.mooring.model.DataSourceRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import dev.mooring.model.Volume;
import dev.mooring.populator.decide.PopulationDecision.CallPopulator;
import dev.mooring.populator.state.LoadedPopulators;
import dev.mooring.populator.state.LoadedPopulators.Service;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Populator;
import dev.mooring.spi.Populator.Progress;
import dev.mooring.spi.Populator.SourceKind;
import dev.mooring.spi.Provisioner;
import dev.mooring.storage.FullClaimReader;
import java.util.Map;
import java.util.Optional;

/** Calls populators with the data source as the API server has it now. Thread-safe. */
record PopulatorCalls(LiveReader reader, LoadedPopulators populators) {
  /**
   * Result of an attempt to fill a volume.
   *
   * @param attempt answer of the populator, or why it was not called
   * @param eventReason reason of the event if the attempt failed
   */
  record FillAttempt(Attempt<Progress> attempt, String eventReason) {
    static FillAttempt failed(String eventReason, String message) {
      return new FillAttempt(new Attempt.Failed<>(new Failure.Unreachable(message)), eventReason);
    }
  }

  FillAttempt fill(CallPopulator call) throws InterruptedException {
    Claim claim = call.claim();
    DataSourceRef source = claim.dataSourceRef();
    Optional<Service> service = source == null ? Optional.empty() : populators.find(source);
    if (source == null || service.isEmpty()) {
      return FillAttempt.failed(
          PopulationReporter.CALL_FAILED, "the populator of the data source is not loaded");
    }
    return switch (FullClaimReader.read(claim, reader)) {
      case ReadResult.Found<Claim>(Claim fullClaim) -> fill(call, fullClaim, source, service.get());
      case ReadResult.Absent<Claim> _ ->
          FillAttempt.failed(PopulationReporter.CALL_FAILED, "the claim is gone");
      case ReadResult.Failed<Claim>(String message) ->
          FillAttempt.failed(PopulationReporter.CALL_FAILED, "reading the claim: " + message);
    };
  }

  private FillAttempt fill(CallPopulator call, Claim claim, DataSourceRef source, Service service)
      throws InterruptedException {
    ObjectKey key = source.key(claim.key().namespace());
    Kind<PartialObject> kind = toKind(service.kind());
    return switch (reader.readWhole(kind, key)) {
      case ReadResult.Found<Map<String, Object>>(Map<String, Object> object) ->
          new FillAttempt(
              service
                  .populator()
                  .populate(
                      toRequest(
                          call, claim, new Populator.DataSource(service.kind(), key, object))),
              PopulationReporter.CALL_FAILED);
      case ReadResult.Absent<Map<String, Object>> _ ->
          FillAttempt.failed(
              PopulationReporter.SOURCE_NOT_FOUND,
              "data source %s %s not found: create it".formatted(source.kindName(), key));
      case ReadResult.Failed<Map<String, Object>>(String message) ->
          FillAttempt.failed(
              PopulationReporter.CALL_FAILED,
              "data source %s %s cannot be read: %s. Mooring needs the right to get %s"
                  .formatted(source.kindName(), key, message, kind.plural() + "." + kind.group()));
    };
  }

  private static Kind<PartialObject> toKind(SourceKind kind) {
    return new Kind<>(
        kind.group(), kind.version(), kind.plural(), kind.kind(), true, PartialObject.class);
  }

  private static Populator.Request toRequest(
      CallPopulator call, Claim claim, Populator.DataSource source) {
    Volume volume = call.volume();
    return new Populator.Request(
        new Provisioner.ClaimInfo(
            claim.key(), claim.meta().uid(), claim.meta().labels(), claim.meta().annotations()),
        source,
        call.prime().key(),
        volume.meta().name(),
        volume.source(),
        volume.volumeMode(),
        volume.storage(),
        claim.className());
  }

  Attempt<Populator.CleanedUp> cleanUp(Claim claim) {
    DataSourceRef source = claim.dataSourceRef();
    Optional<Service> service =
        source == null ? Optional.empty() : populators.find(source).filter(Service::isLoaded);
    return service
        .map(s ->
            s.populator().cleanUp(new Populator.CleanUpRequest(claim.key(), claim.meta().uid())))
        .orElseGet(() -> Attempt.done(new Populator.CleanedUp()));
  }
}
