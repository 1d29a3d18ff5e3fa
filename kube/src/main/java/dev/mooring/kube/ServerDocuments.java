package dev.mooring.kube;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import dev.mooring.cluster.ReadResult;
import dev.mooring.kube.http.ApiResponse;
import dev.mooring.live.RawObject;
import dev.mooring.model.Kind;
import dev.mooring.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the server's version and clock, and whole objects of kinds that no controller reads.
 * Thread-safe; blocks.
 */
public final class ServerDocuments {
  private final KubeConnection connection;
  private final KubeReader reader;
  private final Time time;

  /**
   * Response to a request for the version.
   *
   * @param version gitVersion, for example v1.36.2
   * @param roundTrip duration of the request, including the connection
   * @param clockAhead time by which the server's clock is ahead of this machine's, negative if it
   *     is behind; exact to a second; empty if the response has no date
   */
  public record ServerVersion(String version, Duration roundTrip, Optional<Duration> clockAhead) {}

  public ServerDocuments(KubeConnection connection, Time time) {
    this.connection = connection;
    this.reader = new KubeReader(connection, new ConcurrencyWindow(time), time);
    this.time = time;
  }

  /**
   * Reads the version.
   *
   * @throws IOException if the server cannot be reached or refuses; the message is one line
   */
  public ServerVersion version() throws IOException {
    Instant sent = time.now();
    long startNanos = time.nanos();
    try (ApiResponse answer = connection.get(ApiPath.VERSION, Map.of(), KubeConnection.JSON)) {
      Duration duration = Duration.ofNanos(time.nanos() - startNanos);
      if (!answer.isSuccessful()) {
        throw new IOException("the server answers " + answer.code() + " to /version");
      }
      Instant middle = sent.plus(duration.dividedBy(2));
      // the header has whole seconds: half a second is the mean of the dropped fraction
      Optional<Duration> ahead =
          ServerClock.parseDate(answer.header("date"))
              .map(date -> Duration.between(middle, date.plusMillis(500)));
      return new ServerVersion(version(answer.readText()), duration, ahead);
    }
  }

  private static String version(String body) throws IOException {
    try {
      JsonObject version = JsonParser.parseString(body).getAsJsonObject();
      return version.get("gitVersion").getAsString();
    } catch (JsonParseException | IllegalStateException | NullPointerException e) {
      throw new IOException("the response to /version is not a version", e);
    }
  }

  /**
   * Lists all objects of a kind, with all fields. A kind that the server does not serve is absent,
   * also for a user without the right to list it.
   */
  public ReadResult<List<RawObject>> list(Kind<?> kind) throws InterruptedException {
    ReadResult<Map<String, Object>> result =
        reader.readMembers(() -> ApiPath.ofKind(kind), Map.of());
    return result instanceof ReadResult.Failed<Map<String, Object>> && isAbsent(kind)
        ? new ReadResult.Absent<>()
        : result.map(list -> new RawObject(list).objects("items"));
  }

  // Returns whether the server certainly does not serve the kind, whatever the user's rights are.
  public boolean isAbsent(Kind<?> kind) {
    try (ApiResponse answer =
        connection.get(ApiPath.ofVersion(kind), Map.of(), KubeConnection.JSON)) {
      return answer.code() == 404
          || answer.isSuccessful() && !isListed(kind, JsonParser.parseString(answer.readText()));
    } catch (IOException | JsonParseException e) {
      return false;
    }
  }

  private static boolean isListed(Kind<?> kind, JsonElement versions) {
    return !(versions instanceof JsonObject list)
        || !(list.get("resources") instanceof JsonArray resources)
        || resources.asList().stream()
            .anyMatch(resource ->
                resource instanceof JsonObject object
                    && new JsonPrimitive(kind.plural()).equals(object.get("name")));
  }

  /**
   * Lists the objects of a namespace that a label selector matches, with all fields.
   *
   * @param selector as in the API, for example {@code app=x}
   */
  public ReadResult<List<RawObject>> list(Kind<?> kind, String namespace, String selector)
      throws InterruptedException {
    return reader
        .readMembers(() -> ApiPath.ofCollection(kind, namespace), Map.of("labelSelector", selector))
        .map(list -> new RawObject(list).objects("items"));
  }
}
