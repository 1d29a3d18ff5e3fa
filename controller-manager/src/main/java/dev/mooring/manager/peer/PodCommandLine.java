package dev.mooring.manager.peer;

import dev.mooring.cluster.LiveReader;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Command and arguments of a pod's containers. */
final class PodCommandLine {
  private PodCommandLine() {}

  /** Returns all words; empty if the pod is absent, unreadable, or names no command. */
  static List<String> read(LiveReader reader, ObjectKey pod) throws InterruptedException {
    return reader
        .readWhole(Kind.POD, pod)
        .toOptional()
        .map(PodCommandLine::readWords)
        .orElse(List.of());
  }

  private static List<String> readWords(Map<String, Object> pod) {
    return pod.get("spec") instanceof Map<?, ?> spec
        ? list(spec.get("containers")).stream()
            .filter(container -> container instanceof Map<?, ?>)
            .map(container -> (Map<?, ?>) container)
            .flatMap(container ->
                Stream.concat(
                    list(container.get("command")).stream(), list(container.get("args")).stream()))
            .map(String::valueOf)
            .toList()
        : List.of();
  }

  private static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }
}
