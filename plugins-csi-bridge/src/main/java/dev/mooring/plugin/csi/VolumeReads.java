package dev.mooring.plugin.csi;

import csi.v1.ControllerGetVolumeHealthRequest;
import csi.v1.ControllerGetVolumeRequest;
import csi.v1.ControllerGrpc;
import csi.v1.ControllerListVolumeHealthRequest;
import csi.v1.ControllerListVolumeHealthResponse;
import csi.v1.ListVolumesRequest;
import csi.v1.ListVolumesResponse;
import csi.v1.VolumeCondition;
import csi.v1.VolumeHealth;
import dev.mooring.spi.csi.CsiConnection.Condition;
import dev.mooring.spi.csi.CsiConnection.ListedVolume;
import dev.mooring.spi.csi.VolumeProblem;
import dev.mooring.spi.csi.VolumeProblem.Severity;
import io.grpc.Status;
import io.grpc.StatusException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads volumes, their conditions and their health.
 *
 * @param controller creates a stub for each call, with its own deadline
 */
record VolumeReads(Supplier<ControllerGrpc.ControllerBlockingV2Stub> controller) {
  Map<String, ListedVolume> list(int pageSize) throws StatusException, InterruptedException {
    return listEntries(
        pageSize,
        e ->
            new ListedVolume(
                e.getVolume().getCapacityBytes(),
                List.copyOf(e.getStatus().getPublishedNodeIdsList())));
  }

  Map<String, Condition> listConditions(int pageSize) throws StatusException, InterruptedException {
    return listEntries(pageSize, e -> toCondition(e.getStatus().getVolumeCondition()));
  }

  private <T> Map<String, T> listEntries(
      int pageSize, Function<ListVolumesResponse.Entry, T> toValue)
      throws StatusException, InterruptedException {
    Map<String, T> volumes = new HashMap<>();
    readPages(
        "ListVolumes",
        token ->
            controller
                .get()
                .listVolumes(
                    ListVolumesRequest.newBuilder()
                        .setMaxEntries(pageSize)
                        .setStartingToken(token)
                        .build()),
        ListVolumesResponse::getNextToken,
        page ->
            page.getEntriesList()
                .forEach(e -> volumes.put(e.getVolume().getVolumeId(), toValue.apply(e))));
    return Map.copyOf(volumes);
  }

  Condition getCondition(String volumeId) throws StatusException, InterruptedException {
    return toCondition(
        controller
            .get()
            .controllerGetVolume(
                ControllerGetVolumeRequest.newBuilder().setVolumeId(volumeId).build())
            .getStatus()
            .getVolumeCondition());
  }

  private static Condition toCondition(VolumeCondition condition) {
    return new Condition(condition.getAbnormal(), condition.getMessage());
  }

  Map<String, List<VolumeProblem>> listHealth(int pageSize)
      throws StatusException, InterruptedException {
    Map<String, List<VolumeProblem>> volumes = new HashMap<>();
    readPages(
        "ControllerListVolumeHealth",
        token ->
            controller
                .get()
                .controllerListVolumeHealth(
                    ControllerListVolumeHealthRequest.newBuilder()
                        .setMaxEntries(pageSize)
                        .setStartingToken(token)
                        .build()),
        ControllerListVolumeHealthResponse::getNextToken,
        page -> page.getEntriesList().forEach(h -> volumes.put(h.getVolumeId(), toProblems(h))));
    return Map.copyOf(volumes);
  }

  List<VolumeProblem> getHealth(String volumeId) throws StatusException, InterruptedException {
    return toProblems(
        controller
            .get()
            .controllerGetVolumeHealth(
                ControllerGetVolumeHealthRequest.newBuilder().setVolumeId(volumeId).build())
            .getVolumeHealth());
  }

  private static List<VolumeProblem> toProblems(VolumeHealth health) {
    return health.getHealthStatusesList().stream()
        .map(entry ->
            new VolumeProblem(
                Severity.of(entry.getStatus()), entry.getReason(), entry.getMessage()))
        .toList();
  }

  @FunctionalInterface
  private interface PageReader<P> {
    P read(String token) throws StatusException, InterruptedException;
  }

  private static <P> void readPages(
      String call, PageReader<P> reader, Function<P, String> nextToken, Consumer<P> consumer)
      throws StatusException, InterruptedException {
    Set<String> tokens = new HashSet<>();
    String token = "";
    do {
      P page = reader.read(token);
      consumer.accept(page);
      token = nextToken.apply(page);
      if (!tokens.add(token)) { // the list would never end
        String problem = call + " repeats token \"" + token + "\"";
        throw Status.INTERNAL.withDescription(problem).asException();
      }
    } while (!token.isEmpty());
  }
}
