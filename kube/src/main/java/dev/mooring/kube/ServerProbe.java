package dev.mooring.kube;

import dev.mooring.kube.auth.CredentialsException;
import dev.mooring.model.Kind;
import java.io.IOException;
import java.util.Map;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import okhttp3.Response;

/**
 * Asks a server for something that we need, to learn whether it answers.
 *
 * @param connection to the server
 */
record ServerProbe(KubeConnection connection) {
  private static final int FIRST_ERROR_OF_SERVERS = 500;

  /**
   * What is wrong and the remedy, on one line; "" if the server answers with what was asked for.
   */
  String problem() {
    return ask(this::problemOf);
  }

  /** Why the server serves nothing, on one line; "" if it answers, though it may refuse us. */
  String outage() {
    return ask(answer -> answer.code() < FIRST_ERROR_OF_SERVERS ? "" : problemOf(answer));
  }

  private String problemOf(Response answer) {
    return switch (answer.code()) {
      case 200 -> "";
      case 401 ->
          "the API server at "
              + connection.address()
              + " does not know us (401): check the token or client certificate in the"
              + " kubeconfig";
      case 403 ->
          "the API server at "
              + connection.address()
              + " does not let us list persistentvolumes (403): grant the volume controllers'"
              + " permissions (docs/rights.md)";
      default ->
          "the API server at "
              + connection.address()
              + " answers "
              + answer.code()
              + " when asked for persistentvolumes"
              + (answer.isRedirect() ? ": " + Answers.redirect(answer) : "");
    };
  }

  private String ask(Function<Response, String> problem) {
    try (Response answer =
        connection.send("GET", ApiPath.all(Kind.VOLUME), Map.of("limit", "1"), "", new byte[0])) {
      return problem.apply(answer);
    } catch (CredentialsException e) {
      return "the API server at " + connection.address() + " was not asked: " + e.getMessage();
    } catch (SSLException e) {
      return "TLS with the API server at "
          + connection.address()
          + " fails ("
          + KubeConnection.reason(e)
          + "): check the address and certificate-authority in the kubeconfig";
    } catch (IOException e) {
      return "the API server at "
          + connection.address()
          + " cannot be reached ("
          + KubeConnection.reason(e)
          + "): check the address in the kubeconfig and the network";
    }
  }
}
