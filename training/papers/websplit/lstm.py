"""The paper's networks: LSTMs with local-p attention and input feeding (Luong et al., 2015), one encoder or two.

With two, each has an attention of its own, and the decoder's state goes into one output with both contexts (Zoph &
Knight, 2016).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from training.papers.websplit.examples import BEGIN, END, PAD

__all__ = ["LocalAttention", "Lstm"]

# Places on either side of the one that is looked at; Luong et al. take 10 and half of it as the deviation.
_WINDOW = 10
_RANGE = 0.05
State = tuple[torch.Tensor, torch.Tensor]


class LocalAttention(torch.nn.Module):  # type: ignore[misc]
    """Local attention with predicted places: p = S·σ(vᵀ tanh(W h)), weights align(h, s)·exp(−(s − p)² / 2σ²)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.align = torch.nn.Linear(width, width, bias=False)
        self.inner = torch.nn.Linear(width, width, bias=False)
        self.place = torch.nn.Linear(width, 1, bias=False)

    def forward(self, state: torch.Tensor, memory: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        """The context of a decoder's `state` [rows, width] in `memory` [rows, length, width]; `there` masks padding."""
        lengths = there.sum(1, keepdim=True)
        centre = lengths * torch.sigmoid(self.place(torch.tanh(self.inner(state))))
        places = torch.arange(memory.shape[1], device=memory.device).unsqueeze(0)
        scores = torch.einsum("rw,rlw->rl", self.align(state), memory)
        near = there & ((places - centre).abs() <= _WINDOW)
        weights = torch.softmax(scores.masked_fill(~near, -1e4), dim=1)
        weights = weights * torch.exp(-((places - centre) ** 2) / (2 * (_WINDOW / 2) ** 2)) * near
        return torch.einsum("rl,rlw->rw", weights, memory)


class Lstm(torch.nn.Module):  # type: ignore[misc]
    """Encoders and a decoder of `encoder` and as many `decoder` layers, all of `width`, weights drawn from ±0.05."""

    def __init__(
        self, vocabulary: int, *, sources: int, width: int, encoder: int, decoder: int, dropout: float = 0.0
    ) -> None:
        super().__init__()
        if encoder != decoder:
            raise ValueError("the decoder begins with the states of the encoder: both need as many layers")
        self.embed = torch.nn.Embedding(vocabulary, width, padding_idx=PAD)
        self.encoders = torch.nn.ModuleList(
            torch.nn.LSTM(width, width, encoder, dropout=dropout, batch_first=True) for _ in range(sources)
        )
        self.decoder = torch.nn.LSTM(2 * width, width, decoder, dropout=dropout, batch_first=True)
        self.attentions = torch.nn.ModuleList(LocalAttention(width) for _ in range(sources))
        self.join = torch.nn.Linear((1 + sources) * width, width, bias=False)
        self.out = torch.nn.Linear(width, vocabulary)
        self.drop = torch.nn.Dropout(dropout)
        for parameter in self.parameters():
            torch.nn.init.uniform_(parameter, -_RANGE, _RANGE)

    def _encode(self, sources: Sequence[torch.Tensor]) -> tuple[list[torch.Tensor], list[torch.Tensor], State]:
        memories, masks = [], []
        hidden: list[torch.Tensor] = []
        cells: list[torch.Tensor] = []
        for encoder, source in zip(self.encoders, sources, strict=True):
            there = source != PAD
            packed = torch.nn.utils.rnn.pack_padded_sequence(
                self.drop(self.embed(source)), there.sum(1).cpu(), batch_first=True, enforce_sorted=False
            )
            states, (last, cell) = encoder(packed)
            memories.append(torch.nn.utils.rnn.pad_packed_sequence(states, batch_first=True)[0])
            masks.append(there)
            hidden.append(last)
            cells.append(cell)
        return memories, masks, (torch.stack(hidden).sum(0), torch.stack(cells).sum(0))

    def _step(
        self,
        word: torch.Tensor,
        fed: torch.Tensor,
        state: State,
        memories: Sequence[torch.Tensor],
        masks: Sequence[torch.Tensor],
    ) -> tuple[torch.Tensor, State]:
        """The attentional vector after `word` [rows], which is fed to the next step, and the decoder's new state."""
        entered = torch.cat([self.drop(self.embed(word)), fed], dim=1).unsqueeze(1)
        found, state = self.decoder(entered, state)
        top = found.squeeze(1)
        contexts = [
            attention(top, memory, mask)
            for attention, memory, mask in zip(self.attentions, memories, masks, strict=True)
        ]
        return torch.tanh(self.join(torch.cat([*contexts, top], dim=1))), state

    def forward(self, sources: Sequence[torch.Tensor], before: torch.Tensor) -> torch.Tensor:
        """Logits of the next token after each of `before` [rows, length] → [rows, length, vocabulary]."""
        memories, masks, state = self._encode(sources)
        fed = torch.zeros(before.shape[0], self.out.in_features)
        steps = []
        for place in range(before.shape[1]):
            fed, state = self._step(before[:, place], fed, state, memories, masks)
            steps.append(fed)
        logits: torch.Tensor = self.out(self.drop(torch.stack(steps, dim=1)))
        return logits

    def decode(self, sources: Sequence[torch.Tensor], *, beam: int, longest: int) -> list[list[int]]:
        """The best hypothesis of a beam search for each row, without special tokens; one row at a time."""
        return [
            self._search([source[None, source != PAD] for source in row], beam, longest)
            for row in zip(*sources, strict=True)
        ]

    def _search(self, sources: Sequence[torch.Tensor], beam: int, longest: int) -> list[int]:
        memories, masks, state = self._encode(sources)
        fed = torch.zeros(1, self.out.in_features)
        alive: list[tuple[float, list[int]]] = [(0.0, [])]
        done: list[tuple[float, list[int]]] = []
        words = torch.tensor([BEGIN])
        for _ in range(longest):
            count = len(alive)
            fed, state = self._step(
                words, fed, state, [m.expand(count, -1, -1) for m in memories], [m.expand(count, -1) for m in masks]
            )
            scores = torch.log_softmax(self.out(fed), dim=1) + torch.tensor([score for score, _ in alive]).unsqueeze(1)
            values, places = scores.flatten().topk(2 * beam)
            kept: list[tuple[float, list[int], int]] = []
            for value, place in zip(values.tolist(), places.tolist(), strict=True):
                row, word = divmod(place, scores.shape[1])
                if word == END:
                    done.append((value / (len(alive[row][1]) + 1), alive[row][1]))
                elif len(kept) < beam:
                    kept.append((value, [*alive[row][1], word], row))
            if len(done) >= beam:
                break
            rows = torch.tensor([row for *_, row in kept])
            alive = [(value, tokens) for value, tokens, _ in kept]
            words, fed = torch.tensor([tokens[-1] for _, tokens in alive]), fed[rows]
            state = (state[0][:, rows], state[1][:, rows])
        return max([*done, *((score / max(1, len(tokens)), tokens) for score, tokens in alive)])[1]
