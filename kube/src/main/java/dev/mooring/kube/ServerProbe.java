package dev.mooring.kube;

import dev.mooring.kube.auth.CredentialsException;
import dev.mooring.kube.http.ApiResponse;
import dev.mooring.model.Kind;
import java.io.IOException;
import java.util.Map;
import java.util.function.Function;
import javax.net.ssl.SSLException;

record ServerProbe(KubeConnection connection) {
  private static final int FIRST_SERVER_ERROR = 500;

  String findProblem() {
    return sendProbe(this::describeProblem);
  }

  String findOutage() {
    return sendProbe(answer -> answer.code() < FIRST_SERVER_ERROR ? "" : describeProblem(answer));
  }

  private String describeProblem(ApiResponse response) {
    return switch (response.code()) {
      case 200 -> "";
      case 401 ->
          "the API server at %s does not accept the credentials (401): check the token or client certificate in the kubeconfig"
              .formatted(connection.address());
      case 403 ->
          "the API server at %s does not allow listing persistentvolumes (403): grant the volume controllers' permissions (docs/rights.md)"
              .formatted(connection.address());
      default ->
          "the API server at %s answers %s when asked for persistentvolumes%s"
              .formatted(
                  connection.address(),
                  response.code(),
                  response.isRedirect() ? ": " + ApiResponses.describeRedirect(response) : "");
    };
  }

  private String sendProbe(Function<ApiResponse, String> describe) {
    try (ApiResponse response =
        connection.send(
            "GET", ApiPath.ofKind(Kind.VOLUME), Map.of("limit", "1"), "", new byte[0])) {
      return describe.apply(response);
    } catch (CredentialsException e) {
      return "the API server at " + connection.address() + " was not called: " + e.getMessage();
    } catch (SSLException e) {
      return "TLS with the API server at %s fails (%s): check the address and certificate-authority in the kubeconfig"
          .formatted(connection.address(), KubeConnection.describeRootCause(e));
    } catch (IOException e) {
      return "the API server at %s cannot be reached (%s): check the address in the kubeconfig and the network"
          .formatted(connection.address(), KubeConnection.describeRootCause(e));
    }
  }
}
