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
  private static final Set<Integer> BODILESS_CODES = Set.of(204, 304);

  private final WireListener server;

  Http1Requests(WireListener server, Channel connection) {
    super(connection);
    this.server = server;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    URI target =
        request.decoderResult().isFailure() ? null : RequestTargets.parseTarget(request.uri());
    if (target == null) {
      HttpResponse badRequest =
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST);
      HttpUtil.setContentLength(badRequest, 0);
      HttpUtil.setKeepAlive(badRequest, false); // the start of the next request is unknown
      context.writeAndFlush(badRequest).addListener(ChannelFutureListener.CLOSE);
      return;
    }
    context.channel().config().setAutoRead(false); // reads the next request after the answer
    Headers headers = new Headers();
    for (Map.Entry<String, String> header : request.headers()) {
      headers.add(header.getKey(), header.getValue());
    }
    server.serve(
        context.channel(),
        new WireExchange.WireRequest(
            request.method().name(),
            target,
            "HTTP/1.1",
            headers,
            ByteBufUtil.getBytes(request.content())),
        new Http1Answer(context.channel(), request.headers(), HttpUtil.isKeepAlive(request)));
  }

  private final class Http1Answer implements AnswerWriter {
    private final Channel connection;
    private final HttpHeaders requestHeaders;
    private final boolean isKeptAlive;
    private Optional<WebSocketAnswer> webSocket = Optional.empty();
    private Optional<HttpResponse> delayedHead = Optional.empty();
    private Optional<ChannelFuture> sentAnswer = Optional.empty();

    Http1Answer(Channel connection, HttpHeaders requestHeaders, boolean isKeptAlive) {
      this.connection = connection;
      this.requestHeaders = requestHeaders;
      this.isKeptAlive = isKeptAlive;
    }

    @Override
    public void sendHead(int code, Headers headers, long length) throws IOException {
      Http1Requests.this.requireOpen();
      if (code == HttpResponseStatus.SWITCHING_PROTOCOLS.code()) {
        webSocket = Optional.of(WebSocketAnswer.start(connection, requestHeaders, headers));
        return;
      }
      HttpResponse response =
          new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(code));
      headers.forEach((name, values) -> response.headers().add(name, values));
      if (length == 0) {
        HttpUtil.setTransferEncodingChunked(response, true);
      } else if (!BODILESS_CODES.contains(code)) { // a cache would apply the length to its copy
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, Math.max(0, length));
      }
      HttpUtil.setKeepAlive(response, isKeptAlive);
      if (length > 0) {
        delayedHead = Optional.of(response); // sent together with the body
      } else if (length == 0) {
        connection.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
      } else {
        sentAnswer = Optional.of(sendWhole(response, Unpooled.EMPTY_BUFFER));
        finish();
      }
    }

    private ChannelFuture sendWhole(HttpResponse head, ByteBuf body) {
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
    public void sendChunk(byte[] bytes, int offset, int length) throws IOException {
      awaitWritable();
      byte[] copy = Arrays.copyOfRange(bytes, offset, offset + length);
      if (webSocket.isPresent()) {
        webSocket.get().sendMessage(copy);
        return;
      }
      if (delayedHead.isPresent()) {
        HttpResponse head = delayedHead.get();
        delayedHead = Optional.empty();
        if (HttpUtil.getContentLength(head, 0L) == length) {
          sentAnswer = Optional.of(sendWhole(head, Unpooled.wrappedBuffer(copy)));
          return;
        }
        connection.write(head).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
      }
      connection.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(copy)));
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
      if (webSocket.isPresent()) {
        webSocket.get().sendClose();
        return;
      }
      ChannelFuture lastWrite =
          sentAnswer.orElseGet(() -> connection.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT));
      if (isKeptAlive) {
        lastWrite.addListener(done -> connection.config().setAutoRead(true));
      } else {
        lastWrite.addListener(ChannelFutureListener.CLOSE);
      }
    }

    @Override
    public void abort() {
      connection.close();
    }
  }
}
