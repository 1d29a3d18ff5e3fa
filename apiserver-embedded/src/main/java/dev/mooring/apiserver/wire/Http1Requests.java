package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

final class Http1Requests extends RequestChannel<FullHttpRequest> {
  private static final Set<Integer> BODILESS = Set.of(204, 304);

  private final WireListener server;

  Http1Requests(WireListener server, Channel connection) {
    super(connection);
    this.server = server;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest requested) {
    URI target =
        requested.decoderResult().isFailure() ? null : RequestTargets.target(requested.uri());
    if (target == null) {
      HttpResponse bad =
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST);
      HttpUtil.setContentLength(bad, 0);
      HttpUtil.setKeepAlive(bad, false); // the start of the next request is unknown
      context.writeAndFlush(bad).addListener(ChannelFutureListener.CLOSE);
      return;
    }
    context.channel().config().setAutoRead(false); // reads the next request after the answer
    Headers headers = new Headers();
    for (Map.Entry<String, String> each : requested.headers()) {
      headers.add(each.getKey(), each.getValue());
    }
    server.serve(
        context.channel(),
        new WireExchange.WireRequest(
            requested.method().name(),
            target,
            "HTTP/1.1",
            headers,
            ByteBufUtil.getBytes(requested.content())),
        new Http1Answer(context.channel(), requested.headers(), HttpUtil.isKeepAlive(requested)));
  }

  private final class Http1Answer implements AnswerWriter {
    private final Channel connection;
    private final HttpHeaders requested;
    private final boolean staysOpen;
    private Optional<WebSocketAnswer> upgraded = Optional.empty();
    private Optional<HttpResponse> waiting = Optional.empty();
    private Optional<ChannelFuture> whole = Optional.empty();

    Http1Answer(Channel connection, HttpHeaders requested, boolean staysOpen) {
      this.connection = connection;
      this.requested = requested;
      this.staysOpen = staysOpen;
    }

    @Override
    public void sendHead(int code, Headers headers, long length) throws IOException {
      Http1Requests.this.requireOpen();
      if (code == HttpResponseStatus.SWITCHING_PROTOCOLS.code()) {
        upgraded = Optional.of(WebSocketAnswer.begin(connection, requested, headers));
        return;
      }
      HttpResponse sent =
          new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(code));
      headers.forEach((name, values) -> sent.headers().add(name, values));
      if (length == 0) {
        HttpUtil.setTransferEncodingChunked(sent, true);
      } else if (!BODILESS.contains(code)) { // a cache would apply the length to its copy
        sent.headers().set(HttpHeaderNames.CONTENT_LENGTH, Math.max(0, length));
      }
      HttpUtil.setKeepAlive(sent, staysOpen);
      if (length > 0) {
        waiting = Optional.of(sent); // sent together with the body
      } else if (length == 0) {
        connection.writeAndFlush(sent).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
      } else {
        whole = Optional.of(send(sent, Unpooled.EMPTY_BUFFER));
        finish();
      }
    }

    private ChannelFuture send(HttpResponse head, ByteBuf body) {
      return connection
          .writeAndFlush(
              new DefaultFullHttpResponse(
                  head.protocolVersion(),
                  head.status(),
                  body,
                  head.headers(),
                  EmptyHttpHeaders.INSTANCE))
          .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    @Override
    public void sendPart(byte[] bytes, int from, int length) throws IOException {
      awaitWritable();
      byte[] own = Arrays.copyOfRange(bytes, from, from + length);
      if (upgraded.isPresent()) {
        upgraded.get().message(own);
        return;
      }
      if (waiting.isPresent()) {
        HttpResponse head = waiting.get();
        waiting = Optional.empty();
        if (HttpUtil.getContentLength(head, 0L) == length) {
          whole = Optional.of(send(head, Unpooled.wrappedBuffer(own)));
          return;
        }
        connection.write(head).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
      }
      connection.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(own)));
    }

    @Override
    public void requireOpen() throws IOException {
      Http1Requests.this.requireOpen();
    }

    @Override
    public void finish() {
      if (!connection.isActive()) {
        return; // the event loop may have stopped too
      }
      if (upgraded.isPresent()) {
        upgraded.get().end();
        return;
      }
      ChannelFuture sent =
          whole.orElseGet(() -> connection.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT));
      if (staysOpen) {
        sent.addListener(done -> connection.config().setAutoRead(true));
      } else {
        sent.addListener(ChannelFutureListener.CLOSE);
      }
    }

    @Override
    public void abort() {
      connection.close();
    }
  }
}
